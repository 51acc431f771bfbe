//! How many browsers a search uses if its user does not say: one more than there are cores, because a browser that waits for a
//! frame or a message leaves its core to another; fewer where memory is short.

use std::fs;
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// What a worker's browser takes with three clients, and as much again for the application and its pages.
const MEMORY_KB: usize = 600 * 1024;
/// Nothing was measured beyond: a user may ask for more.
const MOST: usize = 8;

pub fn default_workers() -> usize {
    let (cores, memory) = machine();
    bounded(cores, memory)
}

/// Tells the user if there are fewer because memory is short: it may be more when other programs have ended.
pub fn note_of_memory() -> Option<String> {
    let (cores, memory) = machine();
    note(cores, memory?)
}

fn note(cores: usize, memory_kb: usize) -> Option<String> {
    let (workers, usual) = (bounded(cores, Some(memory_kb)), (cores + 1).min(MOST));
    let megabytes = memory_kb / 1024;
    (workers < usual).then(|| {
        format!(
            "{workers} of the {usual} workers that {cores} cores could keep busy were used: {megabytes} MB of memory were free when the \
             search began, and a worker needs {} MB; `--workers` asks for more",
            MEMORY_KB / 1024
        )
    })
}

/// Cores and free memory, as they were when this was first asked: what the user is told is what was decided by.
fn machine() -> (usize, Option<usize>) {
    static MACHINE: OnceLock<(usize, Option<usize>)> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        let cores = available_parallelism().map_or(1, usize::from);
        (cores, fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_kb(&text)))
    })
}

/// Systems that do not tell their memory are taken to have enough for two.
fn bounded(cores: usize, memory_kb: Option<usize>) -> usize {
    let room = memory_kb.map_or(2, |memory| memory / MEMORY_KB);
    (cores + 1).min(room).clamp(1, MOST)
}

fn available_kb(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{available_kb, bounded, note};

    #[test]
    fn cores_decide_until_memory_does() {
        const GB: usize = 1024 * 1024;
        for (cores, memory, workers) in
            [(2, Some(24 * GB), 3), (2, Some(GB), 1), (1, Some(GB / 4), 1), (64, Some(64 * GB), 8), (4, None, 2)]
        {
            assert_eq!(bounded(cores, memory), workers, "{cores} cores");
        }
        assert_eq!(available_kb("MemTotal: 7 kB\nMemAvailable:   1234 kB\n"), Some(1234));
        assert_eq!(available_kb("MemTotal: 7 kB"), None);
    }

    #[test]
    fn fewer_workers_because_of_little_memory_are_told() {
        let said = note(2, 1024 * 1024).unwrap();
        assert!(said.starts_with("1 of the 3 workers that 2 cores could keep busy were used: 1024 MB"), "{said}");
        assert!(!said.contains('\n'), "one line");
        for (cores, megabytes) in [(2, 24 * 1024), (64, 64 * 1024), (2, 3 * 600)] {
            assert_eq!(note(cores, megabytes * 1024), None, "{cores} cores");
        }
    }
}
