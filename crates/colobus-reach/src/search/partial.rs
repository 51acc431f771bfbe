//! [`Partial`]: a sequence of summaries from some state to the target, and what must hold before it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::summary::dependencies;
use crate::symbolic::expr::Expr;

/// The number of a summary in the list that the search was given.
pub type SummaryId = usize;

/// A partial sequence.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The state of the UI model in which it begins.
    pub state: Arc<str>,
    /// Its summaries, first to last; the last one executes the target.
    pub list: Vec<SummaryId>,
    /// What must hold before it.
    pub condition: Vec<Expr>,
    /// 0 or less; higher ones are extended first.
    pub priority: i64,
    /// How many partial sequences were made before it.
    pub serial: usize,
}

impl Partial {
    /// The variables that its condition depends on.
    pub fn dependencies(&self) -> BTreeSet<Arc<str>> {
        dependencies(&self.condition)
    }

    /// What decides which sequence is extended next: the greatest. Ties go to the shorter, then to the older.
    pub fn rank(&self) -> (i64, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>) {
        (self.priority, std::cmp::Reverse(self.list.len()), std::cmp::Reverse(self.serial))
    }
}
