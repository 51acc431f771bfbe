//! [`Measured`]: the applications whose executions are timed, each with what the script of a user has to know of it.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use crate::aims::Aim;
use crate::tool::{PROGRAM, Search};

pub const SUBJECTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects");
/// Keys, in one state and the next: every combination passes, as most do.
const KEYS: [&str; 5] = ["--naive", "--depth=2", "--action=type a", "--action=type b", "--action=Enter"];
const START_LIMIT: Duration = Duration::from_secs(30);
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

pub struct Measured {
    pub name: &'static str,
    /// Below `subjects/`; nothing for the editor that is built in.
    folder: Option<&'static str>,
    pub workers: &'static [&'static str],
    pub script: Script,
    /// Of its processor time against that of the script.
    pub against_script: Option<Aim>,
}

/// What the script of a user knows of a page.
pub struct Script {
    pub focus: &'static str,
    pub text: &'static str,
    pub ready: &'static str,
}

pub const ALL: [Measured; 3] = [
    Measured {
        name: "the built-in editor",
        folder: None,
        workers: &["1", "2", "3", "4"],
        script: Script { focus: "#editor", text: "#editor", ready: "colobusDemo.ready" },
        against_script: Some(Aim::EditorAgainstScript),
    },
    Measured {
        name: "Firepad",
        folder: Some("firepad"),
        workers: &["1", "2", "3"],
        script: Script { focus: ".CodeMirror textarea", text: ".CodeMirror-code", ready: "colobusSubject.ready" },
        against_script: Some(Aim::FirepadAgainstScript),
    },
    Measured {
        name: "Yjs and Quill",
        folder: Some("yjs-quill"),
        workers: &["1", "2", "3"],
        script: Script { focus: ".ql-editor", text: ".ql-editor", ready: "colobusSubject.ready" },
        against_script: None,
    },
];

impl Measured {
    /// A search in which nothing is found, with so many workers.
    pub fn search(&self, workers: &str) -> anyhow::Result<Search> {
        let workers = format!("--workers={workers}");
        let arguments = [&KEYS[..], &[workers.as_str()]].concat();
        match self.folder {
            None => Search::start(&[&["--correct"], &arguments[..]].concat()),
            Some(folder) => Search::of_subject(&installed(folder)?, &arguments),
        }
    }

    /// The application alone, for the script.
    pub fn serve(&self) -> anyhow::Result<Served> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
        let mut command = match self.folder {
            None => {
                let mut command = Command::new(PROGRAM);
                command.args(["serve-demo", "--port", &port]);
                command
            }
            Some(folder) => {
                let mut command = Command::new("node");
                command.args(["server.js", &port]).current_dir(installed(folder)?);
                command
            }
        };
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().context("cannot start the application")?;
        let served = Served { child, url: format!("http://127.0.0.1:{port}/?doc={{doc}}") };
        let until = Instant::now() + START_LIMIT;
        while std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_err() {
            ensure!(Instant::now() < until, "{} does not listen on port {port}", self.name);
            sleep(BETWEEN_TRIES);
        }
        Ok(served)
    }
}

/// The folder of a subject, with what it is made of.
pub fn installed(folder: &str) -> anyhow::Result<String> {
    let path = Path::new(SUBJECTS).join(folder);
    ensure!(path.join("node_modules").exists(), "{} is not installed: `make subjects` does that", path.display());
    Ok(path.display().to_string())
}

/// A running application; it ends with this.
pub struct Served {
    child: Child,
    pub url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with the configuration of the built-in editor without bugs, whose documents are emptied in place.
pub fn editor_in_place() -> anyhow::Result<TempDir> {
    let text = fs::read_to_string(Path::new(SUBJECTS).join("demo/colobus.toml"))?;
    let mut lines = Vec::new();
    for line in text.lines() {
        match line.split(" =").next().unwrap_or_default() {
            "url" => lines.push("url = \"http://127.0.0.1:{port}/?doc={doc}\"".to_string()),
            "start" => {
                lines.push(format!("start = \"{PROGRAM} serve-demo --port {{port}}\""));
                lines.push("reset = { evaluate = \"colobusDemo.reset()\" }".to_string());
            }
            "directory" | "start_timeout_ms" => {}
            _ => lines.push(line.to_string()),
        }
    }
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("colobus.toml"), lines.join("\n"))?;
    Ok(folder)
}
