//! [`Shrinker`]: from an order that fails to the smallest that does. It proposes, its caller executes and answers; each
//! answer decides what is proposed next. The result has no fault, no flush and no reversal that it fails without.

use std::collections::BTreeSet;

use crate::causality::Causality;
use crate::halving::parts;
use crate::reversals::{displacement, distance, natural_places};
use crate::{Execution, Race, Schedulable};

/// The smallest failing execution so far, and what was tried to make it smaller.
#[derive(Clone, Debug)]
pub struct Shrinker<E> {
    natural: Vec<E>,
    execution: Execution<E>,
    smallest: Vec<E>,
    tried: BTreeSet<Vec<E>>,
}

/// What is to become smaller, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    faults: usize,
    flushes: usize,
    reversals: usize,
    displacement: usize,
}

impl<E: Schedulable> Shrinker<E> {
    /// `natural` is the order of the same interaction that small orders are close to.
    pub fn new(natural: Vec<E>, failing: Execution<E>) -> Shrinker<E> {
        let smallest = failing.order();
        let tried = BTreeSet::from([smallest.clone()]);
        Shrinker { natural, execution: failing, smallest, tried }
    }

    /// The next order to execute; `None` once nothing smaller is left to try. Events that it leaves out, such as those
    /// that a flush stood for, are to happen after it in the natural order.
    pub fn candidate(&mut self) -> Option<Vec<E>> {
        let size = self.size(&self.smallest);
        let is_worth_it = |order: &Vec<E>| !self.tried.contains(order) && self.size(order) < size;
        let candidate = self.proposals().find(is_worth_it)?;
        self.tried.insert(candidate.clone());
        Some(candidate)
    }

    /// What became of the last candidate: what really happened if it failed, `None` if it did not.
    pub fn answer(&mut self, failed: Option<Execution<E>>) {
        let Some(execution) = failed else { return };
        let order = execution.order();
        // A world that could not follow may have failed in an order that is no smaller: nothing is won with that.
        if self.size(&order) < self.size(&self.smallest) {
            self.tried.insert(order.clone());
            (self.execution, self.smallest) = (execution, order);
        }
    }

    pub fn smallest(&self) -> &[E] {
        &self.smallest
    }

    fn size(&self, order: &[E]) -> Size {
        Size {
            faults: order.iter().filter(|event| event.is_fault()).count(),
            flushes: order.iter().filter(|event| event.is_flush()).count(),
            reversals: distance(&self.natural, order),
            displacement: displacement(&self.natural, order),
        }
    }

    /// Everything that might do, big steps first.
    fn proposals(&self) -> impl Iterator<Item = Vec<E>> {
        let faults = self.without(|_, event| event.is_fault());
        let each_fault = (0..self.smallest.len()).map(|k| self.without_fault(k));
        let flushes = self.without(|_, event| event.is_flush());
        let each_flush = (0..self.smallest.len()).map(|k| self.without(|at, event| at == k && event.is_flush()));
        let naturally = parts(self.smallest.len()).map(|range| self.naturally_within(range));
        [faults]
            .into_iter()
            .chain(each_fault)
            .chain([flushes])
            .chain(each_flush)
            .chain(naturally)
            .chain(self.turned_back())
            .chain([self.tidied()])
    }

    fn without(&self, gone: impl Fn(usize, &E) -> bool) -> Vec<E> {
        let kept = self.smallest.iter().enumerate().filter(|(at, event)| !gone(*at, event));
        kept.map(|(_, event)| event.clone()).collect()
    }

    /// Without the fault at this position, and without the next event that repairs it.
    fn without_fault(&self, position: usize) -> Vec<E> {
        let fault = &self.smallest[position];
        let repair = (position + 1..self.smallest.len()).find(|k| self.smallest[*k].repairs(fault));
        self.without(|at, event| event.is_fault() && (at == position || Some(at) == repair))
    }

    /// Part of it in the natural order. What the natural order does not have stays behind what it follows.
    fn naturally_within(&self, range: std::ops::Range<usize>) -> Vec<E> {
        let places = natural_places(&self.natural, &self.smallest);
        let mut part: Vec<(usize, usize)> = Vec::new();
        let mut place = 0;
        for position in range.clone() {
            place = places[position].unwrap_or(place);
            part.push((place, position));
        }
        part.sort();
        let positions = (0..range.start).chain(part.into_iter().map(|(_, at)| at)).chain(range.end..places.len());
        positions.map(|at| self.smallest[at].clone()).collect()
    }

    /// One critical reversal less.
    fn turned_back(&self) -> impl Iterator<Item = Vec<E>> {
        let places = natural_places(&self.natural, &self.smallest);
        let causality = Causality::observed(&self.execution);
        let is_reversed = |race: &Race| places[race.first].zip(places[race.second]).is_some_and(|(f, s)| f > s);
        let turned: Vec<Vec<E>> =
            causality.races().into_iter().filter(is_reversed).map(|race| causality.reversed(race)).collect();
        turned.into_iter()
    }

    /// The equivalent order that is closest to the natural one.
    fn tidied(&self) -> Vec<E> {
        let places = natural_places(&self.natural, &self.smallest);
        let causality = Causality::observed(&self.execution);
        let mut left: Vec<usize> = (0..self.smallest.len()).collect();
        let mut tidied = Vec::new();
        while !left.is_empty() {
            let is_free = |k: &usize| !left.iter().any(|other| causality.happens_before(*other, *k));
            let free = left.iter().copied().filter(is_free);
            let Some(next) = free.min_by_key(|k| (places[*k].unwrap_or(usize::MAX), *k)) else { break };
            left.retain(|k| *k != next);
            tidied.push(self.smallest[next].clone());
        }
        tidied
    }
}
