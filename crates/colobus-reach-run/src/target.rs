//! [`Target`]: a line to reach, resolved among those that the page has. Kept in the folder of a run, so that a run that continues
//! it has the same jobs.

use colobus_reach::line::Line;
use colobus_reach::page::Step;
use serde::{Deserialize, Serialize};

/// What is searched for, and what must run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The line, with its file as the page names it.
    pub line: Line,
    /// Where the statement begins that the line belongs to.
    pub statement: Line,
    /// What a person knows of it.
    pub kind: Option<TargetKind>,
    /// A way that a person knows.
    pub steps: Option<Vec<Step>>,
}

impl Target {
    /// Whether an answer is the one that a person expects: all lines are reached but those that are called unsatisfiable.
    pub fn expects(&self, reached: bool) -> bool {
        reached != (self.kind == Some(TargetKind::Unsatisfiable))
    }
}

/// What it takes to reach a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    /// Events in the right order.
    Sequence,
    /// Events with the right values.
    Parameters,
    /// Nothing reaches it.
    Unsatisfiable,
}
