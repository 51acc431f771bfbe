//! [`Server`]: a small application that somebody else than Colobus started. Used by the benches `soundness` and `strangers`.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

const LONGEST_START: Duration = Duration::from_secs(30);

pub struct Server {
    child: Child,
    pub port: u16,
}

impl Server {
    /// Returns when it listens. The variables tell it which version it is and how long it takes.
    pub fn start(folder: &Path, variables: &[(&str, String)]) -> anyhow::Result<Server> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("node");
        command.args(["app.js", &port.to_string()]).current_dir(folder).stdin(Stdio::null());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let mut server = Server { child: command.spawn().context("cannot start node")?, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("{} ended with {status} before it listened", folder.display());
            }
            if begin.elapsed() > LONGEST_START {
                bail!("{} does not listen after {LONGEST_START:?}", folder.display());
            }
            // A port that opens cannot be waited for in another way.
            sleep(Duration::from_millis(10));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
