//! [`Classes`]: executed orders by the sets of their events, to find one that a planned order is equivalent to.

use std::collections::HashMap;
use std::sync::Arc;

use super::facts::Facts;
use super::names::Id;
use crate::digest;

#[derive(Debug, Default)]
pub struct Classes {
    by_events: HashMap<u64, Vec<Arc<Facts>>>,
}

impl Classes {
    pub fn add(&mut self, facts: &Arc<Facts>) {
        let key = key(&facts.ids[..facts.taking_part]);
        self.by_events.entry(key).or_default().push(facts.clone());
    }

    /// The facts of an executed order with the same events whose dependent pairs are all in the same order here, and this
    /// order in the numbers of its events. Running the order would repeat that execution.
    pub fn find(&self, order: &[Id]) -> Option<(Arc<Facts>, Vec<usize>)> {
        let candidates = self.by_events.get(&key(order))?;
        let same_events = candidates.iter().filter(|facts| facts.taking_part == order.len());
        same_events.into_iter().find_map(|facts| Some((facts.clone(), as_beginning(facts, order)?)))
    }

    /// Whether an executed order is equivalent to one that begins with this one and has more events. Running the order
    /// would leave these to the tail.
    pub fn begin_with(&self, order: &[Id]) -> bool {
        let mut longer = self.by_events.values().flatten().filter(|facts| facts.taking_part > order.len());
        longer.any(|facts| as_beginning(facts, order).is_some())
    }
}

/// The order in the numbers of an execution, if it keeps all dependent pairs and has all events on which its own depend.
fn as_beginning(facts: &Facts, order: &[Id]) -> Option<Vec<usize>> {
    let mut has_run = vec![false; facts.taking_part];
    let mut numbers = Vec::with_capacity(order.len());
    for id in order {
        let number = facts.number(*id).filter(|number| *number < facts.taking_part && !has_run[*number])?;
        if !facts.immediate[number].iter().all(|first| has_run[*first]) {
            return None;
        }
        has_run[number] = true;
        numbers.push(number);
    }
    Some(numbers)
}

/// Equal for equal sets.
fn key(ids: &[Id]) -> u64 {
    ids.iter().fold(0, |sum, id| digest::mix(u64::from(*id) + 1).wrapping_add(sum))
}
