//! [`Progress`]: how far a search is. Written by the loop, read by grouping, reduction and the report.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::Ran;

#[derive(Default)]
pub(super) struct Progress {
    /// By the number of the job.
    pub ran: BTreeMap<usize, Ran>,
    /// Names of the causes that were seen.
    pub causes: BTreeSet<String>,
    /// Why not all jobs were run.
    pub stopped: Option<String>,
    pub search_s: f64,
    pub reduce_s: f64,
    pub restarts: usize,
    pub notes: Vec<String>,
}
