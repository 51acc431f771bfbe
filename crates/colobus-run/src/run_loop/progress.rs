//! [`Progress`]: how far a search is. Written by the loop, read by grouping, reduction and the report.

use std::collections::BTreeSet;

use crate::Ending;
use crate::results::Results;

#[derive(Default)]
pub(super) struct Progress {
    pub ran: Results,
    /// Names of the causes that were seen.
    pub causes: BTreeSet<String>,
    /// Why not all jobs were run.
    pub stopped: Option<String>,
    pub search_s: f64,
    pub reduce_s: f64,
    pub restarts: usize,
    pub notes: Vec<String>,
    /// How many verdicts were withdrawn.
    pub doubted: usize,
}

impl Progress {
    /// The jobs that passed.
    pub fn passed(&self) -> impl Iterator<Item = usize> + '_ {
        self.ran.iter().filter(|(_, ran)| *ran.ending() == Ending::Passed).map(|(job, _)| job)
    }

    /// What the user should know of withdrawn verdicts.
    pub fn note_of_doubts(&self) -> Option<String> {
        (self.doubted > 0).then(|| {
            let count = self.doubted;
            format!("verdicts withdrawn: {count}, judged before a reaction of the server came late; they were run again with more patience")
        })
    }
}
