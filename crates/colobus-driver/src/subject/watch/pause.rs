//! [`Pause`]: an application whose processes are stopped for a moment, so that it finds everything at once that reaches it meanwhile.
//! Made by [`ServerWatch::pause`](super::ServerWatch::pause); worlds use it where a schedule delivers the messages of several clients
//! together.

use colobus_process::Status;
use rustix::process::{Pid, Signal, kill_process_group};

use super::processes::Tree;

/// An application whose process group goes on when this is dropped. If this program ends before that, the application's guard lets it
/// go on.
#[derive(Debug)]
#[must_use = "the application goes on when this is dropped"]
pub struct Pause {
    /// The first process of the application, after which the group is named.
    root: u32,
    group: Pid,
}

impl Pause {
    /// Asks the processes of this group to stop; nothing if there is no such group.
    pub(super) fn begin(root: u32) -> Option<Pause> {
        let group = i32::try_from(root).ok().and_then(Pid::from_raw)?;
        kill_process_group(group, Signal::STOP).ok()?;
        Some(Pause { root, group })
    }

    /// Whether every thread of the group has stopped: one that runs goes on until it enters the kernel.
    pub fn is_complete(&self) -> bool {
        let Ok(tree) = Tree::below(self.root) else { return true };
        // A process that has left the group goes on.
        let belongs = |process: u32| Status::of(process).is_some_and(|status| status.group == self.root);
        tree.threads.iter().filter(|thread| belongs(thread.process)).all(|thread| thread.is_stopped())
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        // A group that is gone has nothing to go on with.
        let _ = kill_process_group(self.group, Signal::CONT);
    }
}
