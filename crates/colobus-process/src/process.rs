//! Processes: which there are, what belongs to what, and which sockets they have open.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// State, parent and group of a process, or state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The letter of the scheduler: `R` runs, `S` sleeps, `Z` has ended.
    pub state: char,
    pub parent: u32,
    pub group: u32,
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
        Some(Status { state, parent: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? })
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
        let read = Status::parse("12 (a) b (c) S 7 5 5 0");
        assert_eq!(read, Some(Status { state: 'S', parent: 7, group: 5 }));
        assert_eq!(Status::parse("12"), None);
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
