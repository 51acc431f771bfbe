//! The small applications of `subjects/small`, and others on the same `rooms.js`: each with its bug (`BUG=1`) and repaired, on servers that
//! take their time (`DELAY`).

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use colobus_model::Report;

/// The folder of one of them, or of what they have in common.
pub fn subject(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small").join(name).canonicalize().unwrap()
}

/// An application that runs until it is dropped.
pub struct Running {
    child: Child,
    pub url: String,
}

impl Running {
    pub fn start(program: &Path, environment: &[(&str, &str)]) -> Running {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child =
            Command::new("node").arg(program).arg(port.to_string()).envs(environment.iter().copied()).spawn().unwrap();
        let limit = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(child.try_wait().unwrap().is_none(), "{} ended", program.display());
            assert!(Instant::now() < limit, "{} does not listen", program.display());
            thread::sleep(Duration::from_millis(20));
        }
        Running { child, url: format!("http://127.0.0.1:{port}") }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program in a folder; its applications have this environment.
pub fn colobus(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_colobus"));
    program.args(arguments).current_dir(folder).envs(environment.iter().copied()).output().unwrap()
}

/// The report of the newest search in a folder.
pub fn report(folder: &Path) -> Report {
    let text = std::fs::read_to_string(folder.join("colobus-out/last/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
