//! [`Guard`]: a small process beside the application, or beside a command of the user, which ends their processes if this program ends
//! without doing so: killed, or left at once by a second Ctrl-C.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

use rustix::process::Pid;

/// Reads the process group that it guards, if one was started, then waits for our word that all is well. The end of the pipe without that word
/// means that we are gone, perhaps while the application was stopped. Applications get two seconds to end by themselves.
const SCRIPT: &str = r#"trap '' INT TERM HUP
read -r group || exit 0
[ "$group" = done ] && exit 0
read -r done && exit 0
kill -s TERM -- "-$group"
kill -s CONT -- "-$group"
n=0
while [ "$n" -lt 20 ] && kill -s 0 -- "-$group"; do sleep 0.1; n=$((n + 1)); done
kill -s KILL -- "-$group""#;

pub struct Guard {
    child: Child,
    /// Closed by the system when we end, in whatever way.
    pipe: ChildStdin,
}

impl Guard {
    /// Stands by before there is anything to guard.
    pub fn start() -> io::Result<Guard> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C in the terminal is not for it.
            .process_group(0)
            .spawn()?;
        let pipe = child.stdin.take().ok_or_else(|| io::Error::other("its pipe is missing"))?;
        Ok(Guard { child, pipe })
    }

    pub fn watch(&mut self, group: Pid) -> io::Result<()> {
        writeln!(self.pipe, "{}", group.as_raw_nonzero())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // One that is gone has nothing left to do.
        let _ = self.pipe.write_all(b"done\n");
        let _ = self.child.wait();
    }
}
