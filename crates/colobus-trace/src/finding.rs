//! [`Finding`]: an interaction that fails, reduced, with how often it came back. [`RootCause`]: findings that look like one bug.

use serde::{Deserialize, Serialize};

use crate::{Difference, DifferenceKind, Schedule};

/// A reduced failing interaction, as reports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Counts from one; also the folder of its trace and screenshots below the run's folder.
    pub id: usize,
    /// Names of the actions of the shortest prefix that still fails.
    pub prefix: Vec<String>,
    /// Names of the concurrent actions, one per client.
    pub concurrent: Vec<String>,
    pub schedule: Schedule,
    /// The name of the check that failed.
    pub check: String,
    pub difference: Difference,
    /// How many of `attempts` further executions failed in the same way.
    pub reproduced: usize,
    pub attempts: usize,
    /// The id of its root cause.
    pub root_cause: usize,
    /// Path of the trace, relative to the run's folder.
    pub trace: String,
    /// How many failing interactions of the search were reduced to this one.
    pub failures: usize,
}

/// Findings with the same concurrent actions and the same kind of difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootCause {
    pub id: usize,
    pub concurrent: Vec<String>,
    pub check: String,
    pub kind: DifferenceKind,
    /// Ids of its findings, the shortest first.
    pub findings: Vec<usize>,
}
