//! Anchors of a partial sequence: summaries that write what its condition reads, the first on each way back.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::partial::{Partial, SummaryId};
use crate::summary::Summary;
use crate::ui::UiModel;

/// A summary at a transition of the UI model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The transition, by its number in the model.
    pub transition: usize,
    /// The summary.
    pub summary: SummaryId,
}

/// All anchors, nearest first, before a solver looks at them. The start is always one where it can be reached.
pub fn candidates(partial: &Partial, model: &UiModel, summaries: &[Summary]) -> Vec<Anchor> {
    let wanted = partial.dependencies();
    let mut found = Vec::new();
    let mut visited: BTreeSet<&Arc<str>> = [&partial.state].into();
    let mut queue: VecDeque<&Arc<str>> = [&partial.state].into();
    while let Some(state) = queue.pop_front() {
        for (transition, into) in model.transitions.iter().enumerate().filter(|(_, t)| t.to == *state) {
            for (id, summary) in of_event(summaries, &into.event) {
                if summary.is_start() || summary.writes_any(&wanted) {
                    found.push(Anchor { transition, summary: id });
                } else if visited.insert(&into.from) {
                    queue.push_back(&into.from);
                }
            }
        }
    }
    found
}

/// The summaries of an event.
pub fn of_event<'a>(summaries: &'a [Summary], event: &'a str) -> impl Iterator<Item = (SummaryId, &'a Summary)> {
    summaries.iter().enumerate().filter(move |(_, summary)| &*summary.event == event)
}
