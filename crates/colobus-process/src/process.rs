//! Processes: which there are, what belongs to what, whether one has ended, and which sockets they have open.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// State, parent, group and start of a process, or state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The letter of the scheduler: `R` runs, `S` sleeps, `Z` has ended.
    pub state: char,
    pub parent: u32,
    pub group: u32,
    /// When it began, in ticks since the system did.
    pub started: u64,
}

impl Status {
    /// Nothing if there is no such process.
    pub fn of(process: u32) -> Option<Status> {
        Status::parse(&fs::read_to_string(folder(process).join("stat")).ok()?)
    }

    /// Reads the text of a file `stat`.
    pub fn parse(text: &str) -> Option<Status> {
        // The name is in parentheses and may contain anything, parentheses included.
        let (_, rest) = text.rsplit_once(')')?;
        let mut fields = rest.split_whitespace();
        let state = fields.next()?.chars().next()?;
        let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Status { state, parent, group, started: fields.nth(16)?.parse().ok()? })
    }

    fn has_ended(&self) -> bool {
        self.state == 'Z'
    }
}

/// One process and no other: numbers are given again, the moment of the start tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessId {
    pub number: u32,
    started: u64,
}

impl ProcessId {
    /// The process that has this number now; nothing if there is none.
    pub fn of(number: u32) -> Option<ProcessId> {
        Status::of(number)
            .filter(|status| !status.has_ended())
            .map(|Status { started, .. }| ProcessId { number, started })
    }

    pub fn is_alive(self) -> bool {
        ProcessId::of(self.number) == Some(self)
    }

    /// The words that it was started with, or has set since, with spaces between them; empty if it has ended.
    pub fn command_line(self) -> String {
        let line = fs::read(folder(self.number).join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ")
    }
}

/// The numbers of all processes.
pub fn processes() -> Vec<u32> {
    numbered(Path::new("/proc"))
}

/// The numbers of a process's threads; none if it has ended.
pub fn threads(process: u32) -> Vec<u32> {
    numbered(&folder(process).join("task"))
}

/// The inodes of the sockets that a process has open. An error if it has ended, or belongs to another user.
pub fn open_sockets(process: u32) -> io::Result<BTreeSet<u64>> {
    let files = fs::read_dir(folder(process).join("fd"))?;
    // A file may be closed while it is looked at.
    Ok(files.flatten().filter_map(|file| socket_inode(&fs::read_link(file.path()).ok()?)).collect())
}

/// The number in `socket:[1234]`.
fn socket_inode(target: &Path) -> Option<u64> {
    target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

fn folder(process: u32) -> PathBuf {
    Path::new("/proc").join(process.to_string())
}

/// The entries of a folder that are numbers.
fn numbered(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn names_of_processes_do_not_confuse() {
        let read = Status::parse("12 (a) b (c) S 7 5 5 0 -1 4194560 1 0 0 0 3 1 0 0 20 0 1 0 6789 2600960 254");
        assert_eq!(read, Some(Status { state: 'S', parent: 7, group: 5, started: 6789 }));
        assert_eq!(Status::parse("12"), None);
    }

    #[test]
    fn a_process_is_alive_until_it_ends_and_its_number_alone_says_nothing() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = ProcessId::of(child.id()).unwrap();
        let earlier = ProcessId { started: id.started - 1, ..id };
        assert!(id.is_alive() && !earlier.is_alive());
        assert!(ProcessId::of(std::process::id()).unwrap().command_line().contains("process"));
        child.kill().unwrap();
        // It has ended, and its parent has not asked for its result yet.
        while Status::of(child.id()).is_some_and(|status| !status.has_ended()) {
            std::thread::yield_now();
        }
        assert!(!id.is_alive());
        child.wait().unwrap();
        assert!(!id.is_alive());
    }

    #[test]
    fn this_process_is_among_all_and_has_threads_and_sockets() {
        let own = std::process::id();
        assert!(processes().contains(&own) && !threads(own).is_empty());
        let before = open_sockets(own).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!open_sockets(own).unwrap().is_subset(&before));
        drop(listener);
        assert_eq!(socket_inode(Path::new("pipe:[12]")), None);
    }
}
