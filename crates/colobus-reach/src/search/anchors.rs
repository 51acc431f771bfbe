//! Anchors of a partial sequence: summaries that write what its condition reads, the first on each way back; and summaries
//! that lead where other paths of their event do not, because what these need must be brought about as well.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::partial::{Partial, SummaryId};
use crate::summary::{Summary, dependencies};
use crate::ui::{Transition, UiModel};

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
            let is_gate = model.is_gate(into) && into.from != into.to;
            for (id, summary) in taking(summaries, into) {
                let is_anchor = summary.is_start() || summary.writes_any(&wanted);
                if is_anchor || is_gate && !dependencies(&summary.condition).is_empty() {
                    found.push(Anchor { transition, summary: id });
                }
                if !is_anchor && visited.insert(&into.from) {
                    queue.push_back(&into.from);
                }
            }
        }
    }
    found
}

/// The summaries that may take a transition.
pub fn taking<'a>(
    summaries: &'a [Summary],
    transition: &'a Transition,
) -> impl Iterator<Item = (SummaryId, &'a Summary)> {
    let all = summaries.iter().enumerate();
    all.filter(move |(_, summary)| summary.event == transition.event && transition.is_taken_by(&summary.name))
}
