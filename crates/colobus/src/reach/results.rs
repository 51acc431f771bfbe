//! [`Answered`]: how the search for one line ended, as data. Written by `--json`, read by `make bench-reach`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use colobus_reach::crawl::Crawled;
use colobus_reach::line::Line;
use colobus_reach::page::Step;
use colobus_reach::search::{Found, Outcome};
use serde::Serialize;

use super::target_file::{TargetKind, TargetLine};

#[derive(Serialize)]
pub struct Answered {
    pub line: Line,
    pub kind: Option<TargetKind>,
    /// Whether the known way reaches it.
    pub known_way: Option<bool>,
    pub reached: bool,
    pub outcome: &'static str,
    pub steps: Vec<Step>,
    pub connectors: usize,
    pub iterations: usize,
    pub anchors: usize,
    pub pruned: usize,
    pub replays: usize,
    pub seconds: f64,
    pub reasons: Vec<String>,
}

impl Answered {
    pub fn new(target: &TargetLine, known_way: Option<bool>, found: &Found, took: Duration) -> Answered {
        let steps = match &found.outcome {
            Outcome::Reached(steps) => steps.clone(),
            _ => Vec::new(),
        };
        let statistics = &found.statistics;
        Answered {
            line: target.line.clone(),
            kind: target.kind,
            known_way,
            reached: matches!(found.outcome, Outcome::Reached(_)),
            outcome: match found.outcome {
                Outcome::Reached(_) => "reached",
                Outcome::Unreachable => "unreachable",
                Outcome::Limit => "limit",
                Outcome::Undecided => "undecided",
            },
            steps,
            connectors: statistics.connectors,
            iterations: statistics.iterations,
            anchors: statistics.anchors,
            pruned: statistics.pruned,
            replays: statistics.replays,
            seconds: took.as_secs_f64(),
            reasons: found.reasons.clone(),
        }
    }

    /// Whether it is as the file of targets says.
    pub fn is_as_known(&self) -> bool {
        self.known_way != Some(false) && self.reached != (self.kind == Some(TargetKind::Unsatisfiable))
    }
}

#[derive(Serialize)]
struct File<'a> {
    states: usize,
    events: usize,
    summaries: usize,
    runs: usize,
    queries: usize,
    crawled_seconds: f64,
    targets: &'a [Answered],
}

pub fn write(path: &Path, crawled: &Crawled, took: Duration, targets: &[Answered]) -> anyhow::Result<()> {
    let file = File {
        states: crawled.model.states().len(),
        events: crawled.model.events.len(),
        summaries: crawled.summaries.len(),
        runs: crawled.runs,
        queries: crawled.queries,
        crawled_seconds: took.as_secs_f64(),
        targets,
    };
    let text = serde_json::to_string_pretty(&file)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
