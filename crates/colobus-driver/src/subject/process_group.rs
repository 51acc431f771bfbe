//! [`ProcessGroup`]: a command with all that it starts in turn. They end together if the command is given up before it has
//! ended, and, by a [`Guard`], if this program is killed. What a command leaves running when it ends by itself is its own affair.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::FAREWELL;
use super::guard::Guard;

/// Ends all of its processes when it is dropped, unless it was released.
pub struct ProcessGroup {
    /// Nothing before the command is started, and after it has ended.
    group: Option<Pid>,
    guard: Guard,
}

impl ProcessGroup {
    /// Starts a command in a group of its own.
    pub fn spawn(command: &mut Command) -> io::Result<(ProcessGroup, Child)> {
        let mut group = ProcessGroup::stand_by()?;
        let child = command.process_group(0).spawn()?;
        group.watch(child.id())?;
        Ok((group, child))
    }

    /// Stands by before there is anything to end.
    pub(crate) fn stand_by() -> io::Result<ProcessGroup> {
        Ok(ProcessGroup { group: None, guard: Guard::start()? })
    }

    /// The process was started in a group of its own.
    pub(crate) fn watch(&mut self, leader: u32) -> io::Result<()> {
        self.group = i32::try_from(leader).ok().and_then(Pid::from_raw);
        self.group.map_or(Ok(()), |group| self.guard.watch(group))
    }

    /// The command has ended by itself: nothing that it has left running is ended.
    pub fn release(mut self) {
        self.group = None;
    }

    /// Asks all of them to end, and kills them if any is left after a while, or if the rest is not over then.
    pub fn end(&mut self, leader: &mut Child, is_rest_over: impl Fn() -> bool) {
        for signal in [Signal::TERM, Signal::KILL] {
            self.signal(signal);
            // What is stopped notices a signal other than the last when it goes on.
            self.signal(Signal::CONT);
            if self.is_gone_within(FAREWELL, leader, &is_rest_over) {
                break;
            }
        }
        self.group = None;
    }

    fn is_gone_within(&self, time: Duration, leader: &mut Child, is_rest_over: &dyn Fn() -> bool) -> bool {
        let deadline = Instant::now() + time;
        loop {
            // A process that has ended belongs to its group until it is waited for.
            let _ = leader.try_wait();
            if self.group.is_none_or(|group| test_kill_process_group(group).is_err()) && is_rest_over() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // A group without processes is what we want.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
