//! [`Searched`]: one application searched by the built program, as a user would, and the answer for each line of its truth file.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::part::Part;
use crate::program::Program;
use crate::truth::{Target, Truth};

/// The aim: a search within ten seconds a line. Crawling ends after a number of runs, so that other programs on the machine cost time
/// and no lines; the table says how long it took.
const LIMITS: [&str; 2] = ["--line-time", "10s"];

/// What `colobus reach --json` writes.
#[derive(Deserialize)]
struct AnswerFile {
    states: usize,
    events: usize,
    summaries: usize,
    runs: usize,
    crawled_seconds: f64,
    targets: Vec<AnswerInFile>,
}

#[derive(Deserialize)]
struct AnswerInFile {
    line: String,
    known_way: Option<bool>,
    reached: bool,
    outcome: String,
    steps: Vec<serde_json::Value>,
    connectors: usize,
    anchors: usize,
    pruned: usize,
    seconds: f64,
    reasons: Vec<String>,
}

/// What was crawled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Size {
    pub states: usize,
    pub events: usize,
    pub summaries: usize,
    pub runs: usize,
    pub seconds: f64,
}

/// How the search for one line ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answered {
    pub line: String,
    pub known_way: Option<bool>,
    pub reached: bool,
    pub outcome: String,
    /// How many events reach it.
    pub length: usize,
    pub connectors: usize,
    pub anchors: usize,
    pub pruned: usize,
    pub seconds: f64,
    pub reason: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Searched {
    pub exit_code: Option<i32>,
    /// How many lines the truth file names.
    pub targets: usize,
    /// Nothing if the application could not be crawled.
    pub crawled: Option<Size>,
    /// Lines without an answer have none.
    pub answers: Vec<Answered>,
    /// What the program said, if it could not give every answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub failure: String,
}

impl Searched {
    pub fn is_complete(&self) -> bool {
        self.answers.len() >= self.targets
    }

    pub fn answer(&self, target: &Target) -> Option<&Answered> {
        self.answers.iter().find(|answer| answer.line == target.line)
    }

    pub fn reaches(&self, target: &Target) -> bool {
        self.answer(target).is_some_and(|answer| answer.reached)
    }
}

/// A search that cannot run is a result as well: none of its lines is reached.
pub fn run(program: &Program, url: &str, path: &Path, truth: &Truth, part: Part) -> anyhow::Result<Searched> {
    let folder = tempfile::tempdir()?;
    let json = folder.path().join("answers.json");
    let output = program
        .command()
        .args(["reach", url, "--targets"])
        .arg(path)
        .arg("--json")
        .arg(&json)
        .arg("--out")
        .arg(folder.path())
        .args(LIMITS)
        .args(part.arguments())
        .output()
        .context("cannot start colobus")?;
    let told = fs::read(&json).ok().and_then(|text| serde_json::from_slice::<AnswerFile>(&text).ok());
    let answers: Vec<Answered> = told.iter().flat_map(|told| &told.targets).map(answered).collect();
    let crawled = told.map(|AnswerFile { states, events, summaries, runs, crawled_seconds: seconds, .. }| Size {
        states,
        events,
        summaries,
        runs,
        seconds,
    });
    let targets = truth.targets.len();
    let mut searched = Searched { exit_code: output.status.code(), targets, crawled, answers, failure: String::new() };
    if !searched.is_complete() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        eprintln!("{said}");
        searched.failure = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_string();
    }
    Ok(searched)
}

fn answered(told: &AnswerInFile) -> Answered {
    Answered {
        line: told.line.clone(),
        known_way: told.known_way,
        reached: told.reached,
        outcome: told.outcome.clone(),
        length: told.steps.len(),
        connectors: told.connectors,
        anchors: told.anchors,
        pruned: told.pruned,
        seconds: told.seconds,
        reason: told.reasons.first().cloned().unwrap_or_default(),
    }
}
