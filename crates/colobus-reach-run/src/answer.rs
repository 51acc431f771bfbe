//! [`Answer`]: how the search for one line ended, as data. Made by the search, kept in the journal, shown in reports, written
//! by `colobus reach --json` and read by `make bench-reach`.

use std::time::Duration;

use colobus_model::LineOutcome;
use colobus_reach::line::Line;
use colobus_reach::page::Step;
use colobus_reach::search::{Found, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Target, TargetKind};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub line: Line,
    pub kind: Option<TargetKind>,
    /// Whether the way that a person knows reaches it.
    pub known_way: Option<bool>,
    pub reached: bool,
    /// Whether it is as the file of targets says.
    pub as_expected: bool,
    pub outcome: LineOutcome,
    /// One sentence on how it ended.
    pub verdict: String,
    pub steps: Vec<Step>,
    /// The steps as a user performs them.
    pub events: Vec<String>,
    pub connectors: usize,
    pub iterations: usize,
    pub anchors: usize,
    pub pruned: usize,
    pub replays: usize,
    pub seconds: f64,
    /// Why it was not reached, what says most first.
    pub reasons: Vec<String>,
    /// What the search did, if that was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub explanation: String,
}

impl Answer {
    pub(crate) fn new(target: &Target, known_way: Option<bool>, found: &Found, took: Duration) -> Answer {
        let (outcome, steps) = match &found.outcome {
            Outcome::Reached(steps) => (LineOutcome::Reached, steps.clone()),
            Outcome::Limit => (LineOutcome::Limit, Vec::new()),
            Outcome::Unreachable => (LineOutcome::Unreachable, Vec::new()),
            Outcome::Undecided if found.is_external => (LineOutcome::External, Vec::new()),
            Outcome::Undecided => (LineOutcome::Undecided, Vec::new()),
        };
        let reached = matches!(found.outcome, Outcome::Reached(_));
        let statistics = &found.statistics;
        Answer {
            line: target.line.clone(),
            kind: target.kind,
            known_way,
            reached,
            as_expected: known_way != Some(false) && target.expects(reached),
            outcome,
            verdict: String::new(),
            steps,
            events: Vec::new(),
            connectors: statistics.connectors,
            iterations: statistics.iterations,
            anchors: statistics.anchors,
            pruned: statistics.pruned,
            replays: statistics.replays,
            seconds: took.as_secs_f64(),
            reasons: found.reasons.clone(),
            explanation: String::new(),
        }
    }
}
