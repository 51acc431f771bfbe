//! What goes between a [`Search`](super::Search) and the run loop that drives it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use crate::model::{EventName, Execution};

/// What a plan came to: an execution, or the reason why there is none.
pub type PlanResult = std::result::Result<Execution, String>;

/// The answer of [`Search::next_plan`](super::Search::next_plan).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Execute this order and [tell](super::Search::tell) what came of it.
    Run(Plan),
    /// Nothing to do until another plan has been told.
    Wait,
    Finished,
}

/// An executed order beside the one that it was made from.
#[derive(Clone, Debug)]
pub struct Explored {
    pub plan: Plan,
    pub status: Status,
    /// The order in which the pair was found.
    pub parent_order: Vec<EventName>,
    /// The execution of that order or of an equivalent one. Without accesses.
    pub parent: Arc<Execution>,
    pub recording: Arc<Execution>,
}

/// What came of a plan.
#[derive(Clone, Debug)]
pub enum Status {
    /// An order that was not known. Without accesses. `diverged`: an event before the reversal that did something else than
    /// in the parent, so that differences cannot be blamed on the reversal. `feasible`: delays of answers and steps lead to
    /// the order or to an equivalent one; otherwise it was forced.
    /// `depend`: the pairs of its planned events whose order matters, by their places, for
    /// [`Delays`](crate::happens_before::Delays).
    New { execution: Arc<Execution>, diverged: Option<EventName>, feasible: bool, depend: Vec<(usize, usize)> },
    /// It went another way than planned and repeated a known order.
    Repeated,
    /// It could not be executed.
    Failed { reason: String },
}

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Different orders executed, the recording included.
    pub orders: usize,
    /// Relevant conflicts of the recording.
    pub conflicts: usize,
    /// Orders that were known to be equivalent to an executed one and not run.
    pub equivalent: usize,
    /// Reversals whose order was known.
    pub known: usize,
    /// Executions that repeated a known order.
    pub repeated: usize,
    /// Orders that the delays of timers forbid.
    pub infeasible: usize,
    pub failed: usize,
    /// Whether an execution was not fully controlled.
    pub uncontrolled: bool,
}
