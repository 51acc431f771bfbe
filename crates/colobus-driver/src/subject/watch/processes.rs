//! [`Tree`]: a process, those that it started, and their threads, as `/proc` shows them.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use colobus_process::{open_sockets, threads};

pub struct Tree {
    pub processes: BTreeSet<u32>,
    pub threads: Vec<Thread>,
}

pub struct Thread {
    pub id: u32,
    /// Of the process that it belongs to.
    pub process: u32,
}

impl Tree {
    /// The process with this number and all below it.
    pub fn below(root: u32) -> Result<Tree, String> {
        let mut tree = Tree { processes: BTreeSet::new(), threads: Vec::new() };
        let mut waiting = vec![root];
        while let Some(process) = waiting.pop() {
            if !tree.processes.insert(process) {
                continue;
            }
            // A process that has just ended has no threads.
            for thread in threads(process) {
                tree.threads.push(Thread { id: thread, process });
                let children = format!("/proc/{process}/task/{thread}/children");
                let children = fs::read_to_string(&children)
                    .map_err(|error| format!("the processes that it started cannot be listed: {error}"));
                match children {
                    Ok(children) => waiting.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok())),
                    // A thread that has just ended has no children, either.
                    Err(_) if !thread_exists(process, thread) => {}
                    Err(problem) => return Err(problem),
                }
            }
        }
        Ok(tree)
    }

    /// The numbers of the sockets that its processes have open.
    pub fn sockets(&self) -> Result<BTreeSet<u64>, String> {
        let mut sockets = BTreeSet::new();
        for process in &self.processes {
            match open_sockets(*process) {
                Ok(open) => sockets.extend(open),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("its connections cannot be listed: {error}")),
            }
        }
        Ok(sockets)
    }
}

fn thread_exists(process: u32, thread: u32) -> bool {
    PathBuf::from(format!("/proc/{process}/task/{thread}")).exists()
}
