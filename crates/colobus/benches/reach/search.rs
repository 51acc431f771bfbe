//! One application searched by the built program, as a user would.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde::Deserialize;

/// What is left out of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Whole,
    WithoutPriorities,
    WithoutSummaries,
    WithoutForward,
}

/// The aim: a search within ten seconds a line. Crawling ends after a number of runs, so that other programs on the machine cost time
/// and no lines; the table says how long it took.
const LIMITS: [&str; 2] = ["--line-time", "10s"];

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Whole, Mode::WithoutForward, Mode::WithoutPriorities, Mode::WithoutSummaries];

    /// What it is called on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Whole => "whole",
            Mode::WithoutForward => "without-forward",
            Mode::WithoutPriorities => "without-priorities",
            Mode::WithoutSummaries => "without-summaries",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Mode::Whole => &[],
            Mode::WithoutPriorities => &["--without", "priorities"],
            Mode::WithoutSummaries => &["--without", "summaries"],
            Mode::WithoutForward => &["--without", "forward"],
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Mode::Whole => "whole",
            Mode::WithoutPriorities => "without priorities",
            Mode::WithoutSummaries => "without summaries",
            Mode::WithoutForward => "without the search from the start",
        })
    }
}

/// What `colobus reach --json` writes.
#[derive(Deserialize)]
pub struct Answers {
    pub states: usize,
    pub events: usize,
    pub summaries: usize,
    pub runs: usize,
    pub crawled_seconds: f64,
    pub targets: Vec<Answered>,
}

#[derive(Deserialize)]
pub struct Answered {
    pub line: String,
    pub kind: String,
    pub known_way: Option<bool>,
    pub reached: bool,
    pub outcome: String,
    pub steps: Vec<serde_json::Value>,
    pub connectors: usize,
    pub anchors: usize,
    pub pruned: usize,
    pub seconds: f64,
    pub reasons: Vec<String>,
}

impl Answered {
    pub fn can_be_reached(&self) -> bool {
        self.kind != "unsatisfiable"
    }
}

/// One search of one application.
pub struct Searched {
    pub application: String,
    pub mode: Mode,
    pub answers: Answers,
}

pub fn run(application: &str, url: &str, truth: &Path, mode: Mode) -> anyhow::Result<Searched> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("answers.json");
    let output = Command::new(env!("CARGO_BIN_EXE_colobus"))
        .args(["reach", url, "--targets"])
        .arg(truth)
        .arg("--json")
        .arg(&json)
        .arg("--out")
        .arg(folder.path())
        .args(LIMITS)
        .args(mode.arguments())
        .stdin(Stdio::null())
        .output()
        .context("cannot start colobus")?;
    // Lines that are not reached are no failure of the program.
    if !matches!(output.status.code(), Some(0 | 1)) {
        bail!("colobus reach {url} ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let answers = serde_json::from_slice(&fs::read(&json)?)?;
    Ok(Searched { application: application.to_string(), mode, answers })
}
