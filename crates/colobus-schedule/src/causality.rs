//! [`Causality`]: which events of an order had to come before which, and which two neighbours could change places with
//! a different outcome ([`Race`]).

use std::collections::BTreeSet;

use crate::reversals::natural_places;
use crate::{Execution, Schedulable};

/// Two conflicting events, by position, with nothing between them that the first leads to and the second needs: they are
/// neighbours in some equivalent order, and the other way round they make an order of another equivalence class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    pub first: usize,
    pub second: usize,
}

/// The happens-before relation of one order.
#[derive(Clone, Debug)]
pub struct Causality<E> {
    order: Vec<E>,
    enablers: Vec<Option<usize>>,
    /// Pairs that do not conflict in this execution, whatever their names say.
    commuting: BTreeSet<(usize, usize)>,
    /// `before[j][i]`: i happens before j.
    before: Vec<Vec<bool>>,
}

impl<E: Schedulable> Causality<E> {
    /// From an execution: conflicts, unless it showed that a pair commutes, and what was seen to become possible through what.
    pub fn observed(execution: &Execution<E>) -> Causality<E> {
        let enablers = (0..execution.moments.len()).map(|position| execution.enabler(position)).collect();
        Causality::new(execution.order(), enablers, execution.commuting.clone())
    }

    /// From an order alone: conflicts only.
    pub fn assumed(order: &[E]) -> Causality<E> {
        Causality::new(order.to_vec(), vec![None; order.len()], BTreeSet::new())
    }

    fn new(order: Vec<E>, enablers: Vec<Option<usize>>, commuting: BTreeSet<(usize, usize)>) -> Causality<E> {
        let conflict = |earlier: usize, later: usize| {
            order[earlier].conflicts(&order[later]) && !commuting.contains(&(earlier, later))
        };
        let mut before: Vec<Vec<bool>> = Vec::with_capacity(order.len());
        for (later, enabler) in enablers.iter().enumerate() {
            let mut row = vec![false; later];
            for earlier in (0..later).rev() {
                let direct = *enabler == Some(earlier) || conflict(earlier, later);
                if direct && !row[earlier] {
                    row[earlier] = true;
                    for (known, inherited) in row.iter_mut().zip(&before[earlier]) {
                        *known |= *inherited;
                    }
                }
            }
            before.push(row);
        }
        Causality { order, enablers, commuting, before }
    }

    pub fn order(&self) -> &[E] {
        &self.order
    }

    pub fn happens_before(&self, earlier: usize, later: usize) -> bool {
        earlier < later && self.before[later][earlier]
    }

    /// All races, by their second event and then from the nearest first event on.
    pub fn races(&self) -> Vec<Race> {
        let candidates =
            (0..self.order.len()).flat_map(|second| (0..second).rev().map(move |first| Race { first, second }));
        candidates.filter(|race| self.is_race(*race)).collect()
    }

    fn is_race(&self, Race { first, second }: Race) -> bool {
        let (one, other) = (&self.order[first], &self.order[second]);
        one.conflicts(other)
            && !self.commuting.contains(&(first, second))
            && !one.is_ordered_with(other)
            && self.enablers[second] != Some(first)
            && !(first + 1..second).any(|k| self.happens_before(first, k) && self.happens_before(k, second))
    }

    /// Whether the order has the same events, and every two that depend on each other stand as they do here: then it can be had
    /// from this one by letting neighbours change places that do not depend on each other, and ends in the same way.
    pub fn is_equivalent(&self, order: &[E]) -> bool {
        let places: Option<Vec<usize>> = natural_places(order, &self.order).into_iter().collect();
        let Some(places) = places.filter(|_| order.len() == self.order.len()) else { return false };
        let stands = |later: usize| {
            (0..later).all(|earlier| !self.happens_before(earlier, later) || places[earlier] < places[later])
        };
        (0..order.len()).all(stands)
    }

    /// What has to happen instead of the race's first event for the second to come first: positions in their order.
    pub(crate) fn detour(&self, Race { first, second }: Race) -> Vec<usize> {
        let mut detour: Vec<usize> = (first + 1..second).filter(|k| !self.happens_before(first, *k)).collect();
        detour.push(second);
        detour
    }

    /// The order with this race the other way round and everything else left as it is.
    pub fn reversed(&self, race: Race) -> Vec<E> {
        let detour = self.detour(race);
        let delayed = (race.first..race.second).filter(|k| !detour.contains(k));
        let positions =
            (0..race.first).chain(detour.iter().copied()).chain(delayed).chain(race.second + 1..self.order.len());
        positions.map(|position| self.order[position].clone()).collect()
    }
}
