//! [`Applications`]: the server of all small applications, and searches of them with the built program, as a user would.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use colobus_model::Report;

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/soundness/applications.js");
const PROGRAM: &str = env!("CARGO_BIN_EXE_colobus");

/// An application, and what its users do.
pub struct Application {
    pub name: &'static str,
    actions: &'static str,
    clock: bool,
}

const ADD: &str = r##"
[search]
same = true
[[action]]
name = "add"
steps = [{ click = "#text" }, { type = "{token}" }, { press = "Enter" }]
"##;
const BOOK: &str = r##"
[[action]]
name = "ann books"
steps = [{ click = "#text" }, { type = "ann" }, { click = "#go" }]
[[action]]
name = "bob books"
steps = [{ click = "#text" }, { type = "bob" }, { click = "#go" }]
"##;

pub const APPLICATIONS: [Application; 6] = [
    Application { name: "chat", actions: ADD, clock: false },
    Application { name: "events", actions: ADD, clock: false },
    Application { name: "polling", actions: ADD, clock: false },
    Application { name: "polling-own-clock", actions: ADD, clock: true },
    Application { name: "waiting", actions: ADD, clock: false },
    Application { name: "booking", actions: BOOK, clock: false },
];

/// One search.
pub struct Trial<'a> {
    pub application: &'a Application,
    pub bug: bool,
    pub think_ms: u64,
    pub jitter_ms: u64,
}

/// What came of it.
pub struct Verdict {
    pub exit_code: i32,
    pub report: Report,
}

pub struct Applications {
    server: Child,
    port: u16,
}

impl Applications {
    pub fn start() -> anyhow::Result<Applications> {
        let mut server = Command::new("node").arg(SERVER).stdout(Stdio::piped()).spawn().context("node is missing")?;
        let mut port = String::new();
        BufReader::new(server.stdout.take().context("no output")?).read_line(&mut port)?;
        Ok(Applications { server, port: port.trim().parse()? })
    }

    pub fn search(&self, trial: &Trial) -> anyhow::Result<Verdict> {
        let folder = tempfile::tempdir()?;
        let Trial { application, bug, think_ms, jitter_ms } = trial;
        let path = application.name.trim_end_matches("-own-clock");
        let address = format!("http://127.0.0.1:{}/{path}", self.port);
        let url = format!("{address}?doc={{doc}}&think={think_ms}&jitter={jitter_ms}&bug={}", u8::from(*bug));
        let (actions, clock) = (application.actions, application.clock);
        let configuration = format!("[app]\nurl = {url:?}\n[deterministic]\nclock = {clock}\n{actions}");
        fs::write(folder.path().join("colobus.toml"), configuration)?;
        let output = Command::new(PROGRAM)
            .args(["check", "--depth=2", "--workers=1", "--repeat=3", "-c"])
            .arg(folder.path())
            .arg("--out")
            .arg(folder.path().join("out"))
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start {PROGRAM}"))?;
        let report = fs::read_to_string(folder.path().join("out/last/report.json"));
        let said = || String::from_utf8_lossy(&output.stderr).into_owned();
        let report = serde_json::from_str(&report.with_context(said)?)?;
        Ok(Verdict { exit_code: output.status.code().unwrap_or(2), report })
    }
}

impl Drop for Applications {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
