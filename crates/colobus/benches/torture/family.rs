//! [`Family`]: the processes below one, by what they are, and whether they end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use colobus_process::{ProcessId, Status, processes};

/// How long processes may take to end with the one that they belong to.
const GRACE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(50);

/// What a process of a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Browser,
    Renderer,
    Gpu,
    Network,
    Application,
}

/// The living processes below this one, and itself. Every process is read once: this is asked several times a second.
pub fn family(ancestor: u32) -> Vec<ProcessId> {
    let parent_of = |process: u32| Some((process, Status::of(process)?.parent));
    let parents: BTreeMap<u32, u32> = processes().into_iter().filter_map(parent_of).collect();
    let is_member = |process: &u32| {
        std::iter::successors(Some(*process), |process| parents.get(process).copied().filter(|parent| *parent > 1))
            .any(|process| process == ancestor)
    };
    parents.keys().copied().filter(is_member).filter_map(ProcessId::of).collect()
}

/// Those of the family that are of this kind.
pub fn of_kind(family: &[ProcessId], kind: Kind) -> Vec<ProcessId> {
    let is = |process: &&ProcessId| {
        let line = process.command_line();
        match kind {
            Kind::Browser => line.contains("--remote-debugging") && !line.contains("--type="),
            Kind::Renderer => line.contains("--type=renderer"),
            Kind::Gpu => line.contains("--type=gpu-process"),
            Kind::Network => line.contains("network.mojom.NetworkService"),
            Kind::Application => line.starts_with("node ") && line.contains("server.mjs"),
        }
    };
    family.iter().filter(is).copied().collect()
}

pub fn kill(id: ProcessId) {
    signal("-KILL", id);
}

pub fn signal(name: &str, id: ProcessId) {
    // A process that has ended meanwhile needs no signal.
    let _ = Command::new("kill").args([name, &id.number.to_string()]).stderr(std::process::Stdio::null()).status();
}

/// How many of these do not end by themselves. They are ended then.
pub fn remaining(family: &BTreeSet<ProcessId>) -> usize {
    let begun = Instant::now();
    loop {
        let alive: Vec<ProcessId> = family.iter().filter(|id| id.is_alive()).copied().collect();
        if alive.is_empty() || begun.elapsed() > GRACE {
            alive.iter().for_each(|id| kill(*id));
            return alive.len();
        }
        sleep(LOOK);
    }
}

/// Bytes in memory of this process.
pub fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() * 1024
}
