//! [`Server`]: a small application that somebody else than Colobus started, and [`BusyLoops`] beside it.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::setting::{Setting, Version, folder};

const LONGEST_START: Duration = Duration::from_secs(30);

pub struct Server {
    child: Child,
    pub port: u16,
}

/// What tells the application which version it is and how long it takes.
pub fn environment(setting: &Setting) -> Vec<(&'static str, String)> {
    let bug = [("BUG", u64::from(setting.version == Version::Bug))];
    let variables = bug.iter().chain(setting.server.environment());
    variables.map(|(name, value)| (*name, value.to_string())).collect()
}

impl Server {
    pub fn start(setting: &Setting) -> anyhow::Result<Server> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Command::new("node")
            .args(["app.js", &port.to_string()])
            .current_dir(folder().join(&setting.application))
            .envs(environment(setting))
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start node")?;
        let mut server = Server { child, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("{} ended with {status} before it listened", setting.application);
            }
            if begin.elapsed() > LONGEST_START {
                bail!("{} does not listen after {LONGEST_START:?}", setting.application);
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

/// Four processes that do nothing but count.
pub struct BusyLoops(Vec<Child>);

impl BusyLoops {
    pub fn start() -> anyhow::Result<BusyLoops> {
        let start = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().context("cannot start sh");
        let mut loops = BusyLoops(vec![]);
        for _ in 0..4 {
            loops.0.push(start()?);
        }
        Ok(loops)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
