//! [`RunEvent`]: what a run tells while it goes on. The runner emits them, renderers consume them; nothing else prints.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Case, CheckId, Finding, Report};

#[derive(Clone, Debug)]
pub enum RunEvent {
    /// First of all: what will be done, and where the results go.
    Started {
        plan: Plan,
        output: PathBuf,
    },
    /// The application and the browsers are up.
    Ready {
        browser: String,
        took: Duration,
    },
    PhaseStarted {
        phase: Phase,
        total: usize,
    },
    /// `done` of the phase's `total` are done (some may have been done by an earlier, interrupted run).
    Progress {
        phase: Phase,
        done: usize,
        total: usize,
    },
    PhaseFinished {
        phase: Phase,
        took: Duration,
    },
    /// A case failed; its reduction comes later, as a finding.
    Failed {
        case: Case,
        check: CheckId,
        summary: String,
    },
    /// Nothing can be said of a case.
    Unknown {
        case: Case,
        reason: String,
    },
    Found(Box<Finding>),
    /// Something the user should know; the run goes on.
    Note(String),
    /// What is known so far, after a finding: a run that is killed leaves this report.
    Interim {
        report: Box<Report>,
        output: PathBuf,
    },
    /// Last of all. `output` is the run's folder with all files written.
    Finished {
        report: Box<Report>,
        output: PathBuf,
    },
}

/// What a run is going to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub application: String,
    /// What `--config` has to name for a finding to be run again, or `--at` if it is a recorded session.
    pub configuration: String,
    pub workers: usize,
    pub seed: u64,
    pub search: PlannedSearch,
}

/// What is searched, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedSearch {
    Interactions {
        actions: Vec<String>,
        depth: usize,
        clients: usize,
        /// Full-length sequences of phase 1; zero if it is skipped.
        sequences: usize,
        source_states: usize,
        naive: usize,
    },
    /// Orders of the events of one page; how many there are shows while they are executed.
    Orders {
        /// The most reversals from the recorded order.
        bound: Option<usize>,
        /// The most orders.
        schedules: Option<usize>,
    },
    /// Mistakes in a recorded session; how many there are shows after it was performed once.
    Mistakes,
    /// Sequences of events on one page: as many as the budget allows.
    Events { budget: usize },
    /// Lines of a front end; how many there are shows after the page was crawled.
    Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Phase 1: sequences of one client.
    Explore,
    /// Phase 2: concurrent interactions.
    Search,
    /// Failing interactions are reduced and run again.
    Reduce,
}
