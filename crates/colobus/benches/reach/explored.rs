//! [`Explored`]: what `colobus explore` and a monkey leave of the lines of a truth file: the targets of the paper.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use colobus_model::Report;
use serde::{Deserialize, Serialize};

use crate::program::Program;
use crate::truth::{Target, Truth};

/// The usual one, and events without feedback: a monkey.
const PRIORITIES: [&str; 2] = ["states", "random"];
/// Sequences, each with twelve events behind it: about 3,000 events, as the monkey of the paper.
const BUDGET: &str = "250";
/// A limit for both: few applications get to the end of the budget.
pub const TIME: &str = "60s";

/// One exploration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exploration {
    pub priority: String,
    /// How many events it performed.
    pub events: usize,
    pub seconds: f64,
    /// The lines of the truth file that did not run; nothing if the exploration failed.
    pub left: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Explored(pub Vec<Exploration>);

impl Explored {
    pub fn is_complete(&self) -> bool {
        self.0.len() == PRIORITIES.len() && self.0.iter().all(|it| it.left.is_some())
    }

    /// Whether all explorations left a line. Not said if one of them failed.
    pub fn left(&self, target: &Target) -> bool {
        self.0.iter().all(|it| it.left.as_ref().is_some_and(|left| left.contains(&target.line)))
    }
}

pub fn run(program: &Program, url: &str, truth: &Truth) -> anyhow::Result<Explored> {
    let all: anyhow::Result<_> = PRIORITIES.iter().map(|priority| explore(program, url, truth, priority)).collect();
    Ok(Explored(all?))
}

fn explore(program: &Program, url: &str, truth: &Truth, priority: &str) -> anyhow::Result<Exploration> {
    let (folder, begun) = (tempfile::tempdir()?, Instant::now());
    let output = program
        .command()
        .args(["explore", url, "--coverage", "--repeat", "1", "--priority", priority])
        .args(["--budget", BUDGET, "--timeout", TIME, "--out"])
        .arg(folder.path())
        .output()
        .context("cannot start colobus")?;
    let seconds = begun.elapsed().as_secs_f64();
    let last = folder.path().join("last");
    let lcov = fs::read_to_string(last.join("coverage/lcov.info")).ok();
    if lcov.is_none() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let ran = lcov.as_deref().map(executed);
    let left = ran.map(|ran| {
        let left = truth.targets.iter().filter(|target| !has_run(target, &ran));
        left.map(|target| target.line.clone()).collect()
    });
    Ok(Exploration { priority: priority.to_string(), events: performed(&last), seconds, left })
}

fn performed(run: &Path) -> usize {
    let text = fs::read_to_string(run.join("report.json")).unwrap_or_default();
    let report = serde_json::from_str::<Report>(&text).ok();
    report.and_then(|report| report.exploration).map_or(0, |exploration| exploration.performed)
}

/// The executed lines by the path of their file, of a file for lcov.
fn executed(lcov: &str) -> BTreeMap<String, BTreeSet<u32>> {
    let (mut files, mut file): (BTreeMap<String, BTreeSet<u32>>, _) = (BTreeMap::new(), String::new());
    for line in lcov.lines() {
        if let Some(url) = line.strip_prefix("SF:") {
            // What follows the host; the page itself is called as its file.
            let path = url.splitn(4, '/').nth(3).unwrap_or(url).split(['?', '#']).next().unwrap_or_default();
            file = if path.is_empty() { "index.html".to_string() } else { path.to_string() };
        } else if let Some(Ok(number)) = line.strip_prefix("DA:").and_then(|it| it.strip_suffix(",1")).map(str::parse) {
            files.entry(file.clone()).or_default().insert(number);
        }
    }
    files
}

fn has_run(target: &Target, ran: &BTreeMap<String, BTreeSet<u32>>) -> bool {
    target.place().is_some_and(|(file, number)| ran.get(file).is_some_and(|lines| lines.contains(&number)))
}
