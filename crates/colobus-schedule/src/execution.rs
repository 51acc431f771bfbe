//! [`Execution`]: which events happened, and which could have happened instead. What became possible through what is
//! read from it, so that a strategy needs no model of the application.

use std::collections::BTreeSet;

use crate::Schedulable;

/// One moment of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment<E> {
    pub enabled: Vec<E>,
    pub taken: E,
}

/// One execution, as its strategy saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution<E> {
    pub moments: Vec<Moment<E>>,
    /// Whether it went on until nothing was enabled.
    pub complete: bool,
    /// Pairs of moments, the earlier one first, whose events touched nothing in common although their names conflict.
    pub commuting: BTreeSet<(usize, usize)>,
}

impl<E> Default for Execution<E> {
    fn default() -> Execution<E> {
        Execution { moments: Vec::new(), complete: false, commuting: BTreeSet::new() }
    }
}

impl<E: Schedulable> Execution<E> {
    pub fn order(&self) -> Vec<E> {
        self.moments.iter().map(|moment| moment.taken.clone()).collect()
    }

    /// Adds a moment.
    pub fn record(&mut self, enabled: &[E], taken: &E) {
        self.moments.push(Moment { enabled: enabled.to_vec(), taken: taken.clone() });
    }

    /// Where the event was that made the one at `position` possible, if it was not possible from the start.
    ///
    /// A turn that waits behind others was there as soon as more turns waited than were still to come before it.
    pub(crate) fn enabler(&self, position: usize) -> Option<usize> {
        let event = &self.moments[position].taken;
        let mut turns_ahead = 0;
        self.moments[..position].iter().rposition(|moment| {
            turns_ahead += usize::from(moment.taken == *event);
            moment.enabled.iter().filter(|waiting| *waiting == event).count() <= turns_ahead
        })
    }

    /// What was possible before the event at `position`, and neither happened then nor was possible after it.
    pub(crate) fn disabled(&self, position: usize) -> impl Iterator<Item = &E> {
        let Moment { enabled, taken } = &self.moments[position];
        let after: Option<&[E]> = match self.moments.get(position + 1) {
            Some(next) => Some(&next.enabled),
            None if self.complete => Some(&[]),
            None => None,
        };
        enabled.iter().filter(move |event| *event != taken && after.is_some_and(|after| !after.contains(event)))
    }
}
