//! Processes of this machine, and signals to them.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

pub fn signal(name: &str, target: &str) {
    assert!(Command::new("kill").args([name, "--", target]).status().unwrap().success());
}

/// All processes, and of each its state, parent and group.
pub fn processes() -> Vec<(u32, Vec<String>)> {
    let process = |entry: fs::DirEntry| {
        let id: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some((id, fields.take(3).map(str::to_string).collect()))
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(process).collect()
}

/// Processes below this one whose command line has this in it, paused until it is dropped.
pub struct Paused(Vec<u32>);

impl Paused {
    pub fn with(command: &str) -> Paused {
        let parents: BTreeMap<u32, u32> =
            processes().into_iter().filter_map(|(id, stat)| Some((id, stat[1].parse().ok()?))).collect();
        let is_below =
            |id: u32| std::iter::successors(Some(id), |id| parents.get(id).copied()).any(|id| id == std::process::id());
        let is_meant = |id: &u32| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(command)
        };
        let found: Vec<u32> = parents.keys().copied().filter(|id| is_below(*id) && is_meant(id)).collect();
        assert!(!found.is_empty(), "no process has `{command}` in its command line");
        found.iter().for_each(|id| signal("-STOP", &id.to_string()));
        Paused(found)
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        self.0.iter().for_each(|id| signal("-CONT", &id.to_string()));
    }
}
