//! [`Plan`]: an order to execute, and the reversal that it comes from.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use crate::conflicts::ConflictReason;
use crate::model::EventName;

/// The place of a plan in the canonical order of a search, the same for any number of workers.
pub type PlanKey = usize;

/// An order to execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub key: PlanKey,
    pub order: Vec<EventName>,
    /// How many of its first events are as in its parent.
    pub shared: usize,
    /// The reversals that lead to it from the recording; the last one tells it from its parent.
    pub reversals: Vec<Reversal>,
}

/// One pair that was turned round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    /// The event that came first in the parent.
    pub first: EventName,
    pub second: EventName,
    /// The events between them that the second needs, which moved before the first with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<EventName>,
    pub cause: ConflictReason,
}

impl Reversal {
    /// The order with this pair turned round and the others left as they are; `None` if the first event is missing or
    /// the pair is not in its old order.
    pub fn apply(&self, order: &[EventName]) -> Option<Vec<EventName>> {
        let first = order.iter().position(|name| *name == self.first)?;
        let second = order.iter().position(|name| *name == self.second).unwrap_or(order.len());
        if second < first {
            return None;
        }
        let moves = |(place, name): &(usize, &EventName)| *place > first && *place < second && self.with.contains(name);
        let moved = order.iter().enumerate().filter(moves).map(|(_, name)| name.clone());
        let mut turned = order[..first].to_vec();
        turned.extend(moved.chain([self.second.clone()]));
        let rest = order.iter().enumerate().skip(first).filter(|item| !moves(item) && item.0 != second);
        turned.extend(rest.map(|(_, name)| name.clone()));
        Some(turned)
    }
}

impl Plan {
    /// How many reversals it is away from the recording.
    pub fn depth(&self) -> usize {
        self.reversals.len()
    }
}

/// An executed order, or one whose execution is known.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub facts: Arc<Facts>,
    /// The events that take part, by their numbers in the facts.
    pub order: Vec<usize>,
    pub reversals: Arc<Vec<Reversal>>,
}

/// A reversal of a node that has not been executed yet. Its order is computed when it is needed.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub parent: Arc<Node>,
    /// By their numbers in the facts.
    pub first: usize,
    pub second: usize,
    pub why: Why,
    /// The place of the first event: how much of the parent stays as it is.
    pub shared: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The conflict with this index.
    Conflict(usize),
    /// The second event did not run because the first cancelled it.
    Cancelled,
}

impl Node {
    /// All its reversals.
    pub fn turns(self: &Arc<Node>) -> Vec<Turn> {
        let places = self.places();
        let turn = |first: usize, second, why| Turn { parent: self.clone(), first, second, why, shared: places[first] };
        let conflicts = self.facts.conflicts.iter().enumerate();
        let conflicts = conflicts.map(|(index, (first, second, _))| turn(*first, *second, Why::Conflict(index)));
        let cancelled = self.facts.disabled().map(|(second, first)| turn(first, second, Why::Cancelled));
        conflicts.chain(cancelled).collect()
    }

    fn places(&self) -> Vec<usize> {
        let mut places = vec![usize::MAX; self.facts.taking_part];
        for (place, number) in self.order.iter().enumerate() {
            places[*number] = place;
        }
        places
    }
}

impl Turn {
    /// The order with the pair turned round, and how many of its events belong to the beginning and the reversal.
    pub fn order(&self) -> (Vec<usize>, usize) {
        let (order, start) = (&self.parent.order, self.shared);
        let mut turned = order[..start].to_vec();
        if self.why == Why::Cancelled {
            turned.push(self.second);
            turned.extend(&order[start..]);
            return (turned, start + 2);
        }
        let end = order.iter().position(|number| *number == self.second).unwrap_or(order.len() - 1);
        // Only what the second event needs moves before the pair.
        let mut is_needed = vec![false; self.parent.facts.taking_part];
        is_needed[self.second] = true;
        for number in order[start + 1..=end].iter().rev() {
            if is_needed[*number] {
                self.parent.facts.immediate[*number].iter().for_each(|first| is_needed[*first] = true);
            }
        }
        let between = &order[start + 1..end];
        turned.extend(between.iter().filter(|number| is_needed[**number]));
        turned.extend([self.second, self.first]);
        let fixed = turned.len();
        turned.extend(between.iter().filter(|number| !is_needed[**number]));
        turned.extend(&order[end + 1..]);
        (turned, fixed)
    }

    pub fn cause(&self) -> ConflictReason {
        match self.why {
            Why::Conflict(index) => self.parent.facts.conflicts[index].2.clone(),
            Why::Cancelled => {
                ConflictReason::Cancels { by: self.parent.facts.execution.ran[self.first].event.name.clone() }
            }
        }
    }
}
