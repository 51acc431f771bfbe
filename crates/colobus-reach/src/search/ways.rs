//! Ways: connectors that lead from an anchor to a partial sequence.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::sync::Arc;

use super::anchors::taking;
use super::partial::{Partial, SummaryId};
use crate::summary::Summary;
use crate::ui::UiModel;

/// Ways from one state to a partial sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Summaries of connectors, shortest way first.
    pub found: Vec<Vec<SummaryId>>,
    /// Whether there are more.
    pub cut_off: bool,
}

/// Sequences of transitions from `from` to the first arrival at the state of the partial sequence, none used twice, each by
/// a summary that writes nothing the sequence depends on. At most `limit` of them.
pub fn ways(from: &str, partial: &Partial, model: &UiModel, summaries: &[Summary], limit: usize) -> Ways {
    let wanted = partial.dependencies();
    let connectors: Vec<Vec<SummaryId>> = model
        .transitions
        .iter()
        .map(|transition| {
            let taking = taking(summaries, transition);
            taking.filter(|(_, s)| !s.is_start() && !s.writes_any(&wanted)).map(|(id, _)| id).collect()
        })
        .collect();
    let distances = distances(&partial.state, model, &connectors);
    let mut found = Vec::new();
    // By length of the shortest completion, then by age, so that the order is always the same.
    let mut heap = BinaryHeap::new();
    let mut serial = 0;
    if let Some(distance) = distances.get(from) {
        heap.push(Reverse((*distance, serial, Walk { state: from.into(), used: Vec::new(), summaries: Vec::new() })));
    }
    while let Some(Reverse((_, _, walk))) = heap.pop() {
        if walk.state == partial.state {
            if found.len() == limit {
                return Ways { found, cut_off: true };
            }
            found.push(walk.summaries);
            continue;
        }
        for (number, transition) in model.transitions.iter().enumerate() {
            let Some(distance) = distances.get(&*transition.to) else { continue };
            if transition.from != walk.state || walk.used.contains(&number) {
                continue;
            }
            for &connector in &connectors[number] {
                serial += 1;
                let next = walk.with(number, connector, &transition.to);
                heap.push(Reverse((next.summaries.len() + distance, serial, next)));
            }
        }
    }
    Ways { found, cut_off: false }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Walk {
    state: Arc<str>,
    used: Vec<usize>,
    summaries: Vec<SummaryId>,
}

impl Walk {
    fn with(&self, transition: usize, summary: SummaryId, to: &Arc<str>) -> Walk {
        let mut longer = Walk { state: to.clone(), ..self.clone() };
        longer.used.push(transition);
        longer.summaries.push(summary);
        longer
    }
}

/// How many connectors lead at least from each state to the goal.
fn distances<'a>(goal: &'a str, model: &'a UiModel, connectors: &[Vec<SummaryId>]) -> BTreeMap<&'a str, usize> {
    let mut distances: BTreeMap<&str, usize> = [(goal, 0)].into();
    let mut queue: VecDeque<&str> = [goal].into();
    while let Some(state) = queue.pop_front() {
        let next = distances[state] + 1;
        let usable = model.transitions.iter().zip(connectors).filter(|(_, summaries)| !summaries.is_empty());
        let before: BTreeSet<&str> = usable.filter(|(t, _)| &*t.to == state).map(|(t, _)| &*t.from).collect();
        for from in before {
            if !distances.contains_key(from) {
                distances.insert(from, next);
                queue.push_back(from);
            }
        }
    }
    distances
}
