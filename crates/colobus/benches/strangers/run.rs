//! [`Search`]: one application, searched by the built program as a user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;
use colobus_model::Report;
use serde::{Deserialize, Serialize};

use crate::circumstances::Circumstances;
use crate::server::Server;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// `colobus check URL`.
    Alone,
    /// With the `colobus.toml` of the application.
    Configured,
}

impl Way {
    pub const WORDS: [&'static str; 2] = ["alone", "configured"];

    pub fn word(self) -> &'static str {
        match self {
            Way::Alone => "alone",
            Way::Configured => "configured",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Bug,
    Repaired,
}

pub struct Search {
    pub application: String,
    pub way: Way,
    pub version: Version,
}

#[derive(Serialize, Deserialize)]
pub struct Outcome {
    /// `found`, `missed`, `clean`, `false`, or `not run`.
    pub verdict: String,
    /// What the first finding says, or why nothing could be said.
    pub about: String,
    pub seconds: f64,
    #[serde(flatten)]
    pub circumstances: Circumstances,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small")
}

impl Search {
    pub fn name(&self) -> String {
        let version = if self.version == Version::Bug { "bug" } else { "repaired" };
        format!("{} {} {version}", self.application, self.way.word())
    }

    pub fn run(&self) -> anyhow::Result<Outcome> {
        let own = folder().join(&self.application);
        let bug = if self.version == Version::Bug { "1" } else { "0" };
        let server = Server::start(&own, &[("BUG", bug.to_string())])?;
        let results = tempfile::tempdir()?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_colobus"));
        // One finding is enough to know.
        command.args(["check", "--reporter=json", "--max-findings=1", "--repeat=3", "--timeout=3m", "--allow-partial"]);
        command.current_dir(results.path());
        match self.way {
            Way::Alone => {
                command.arg(format!("http://127.0.0.1:{}/", server.port));
            }
            Way::Configured => {
                let text = fs::read_to_string(own.join("colobus.toml"))?;
                let lines = text.lines().filter(|line| !line.starts_with("start = "));
                let text: String = lines.map(|line| format!("{line}\n")).collect();
                let text = text.replace("{port}", &server.port.to_string());
                fs::write(results.path().join("colobus.toml"), text)?;
            }
        }
        let begin = Instant::now();
        let output = command.stdin(Stdio::null()).output().context("cannot start colobus")?;
        let seconds = begin.elapsed().as_secs_f64();
        let verdict = match (self.version, output.status.code()) {
            (Version::Bug, Some(1)) => "found",
            (Version::Bug, Some(0)) => "missed",
            (Version::Repaired, Some(1)) => "false",
            (Version::Repaired, Some(0)) => "clean",
            _ => "not run",
        };
        let report: Option<Report> = serde_json::from_slice(&output.stdout).ok();
        let finding = report.as_ref().and_then(|report| report.findings.first());
        let about = match finding {
            Some(finding) => format!("{}: {}", finding.check, finding.case()),
            None => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let error = said.lines().rev().find_map(|line| line.strip_prefix("error: "));
                error.unwrap_or_default().to_string()
            }
        };
        Ok(Outcome { verdict: verdict.to_string(), about, seconds, circumstances: Circumstances::now()? })
    }
}
