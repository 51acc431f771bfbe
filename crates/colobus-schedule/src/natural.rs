//! [`Natural`]: what a fast network does. What became possible first happens first, a message before a user's next step;
//! what [comes last](Schedulable::comes_last) waits. Every other strategy goes on in this order where it has no plan.

use std::collections::BTreeMap;

use crate::{Choice, Digest, Divergences, Schedulable, Strategy};

/// Since when each enabled event has been enabled.
#[derive(Clone, Debug)]
pub(crate) struct Arrivals<E> {
    moment: usize,
    since: BTreeMap<E, usize>,
}

impl<E> Default for Arrivals<E> {
    fn default() -> Arrivals<E> {
        Arrivals { moment: 0, since: BTreeMap::new() }
    }
}

impl<E: Schedulable> Arrivals<E> {
    /// Has to see every moment of an execution.
    pub fn observe(&mut self, enabled: &[E]) {
        self.since.retain(|event, _| enabled.contains(event));
        for event in enabled {
            self.since.entry(event.clone()).or_insert(self.moment);
        }
        self.moment += 1;
    }

    pub fn taken(&mut self, event: &E) {
        self.since.remove(event);
    }

    /// The index of the event that comes next by itself, among those that may.
    pub fn next(&self, enabled: &[E], may: impl Fn(&E) -> bool) -> Option<usize> {
        let candidates = enabled.iter().enumerate().filter(|(_, event)| may(event));
        let turn = |event: &E| (event.comes_last(), self.since.get(event).copied(), event.is_step());
        candidates.min_by_key(|(index, event)| (turn(event), *index)).map(|(index, _)| index)
    }
}

/// One execution in the natural order, or several.
#[derive(Clone, Debug)]
pub struct Natural<E> {
    left: usize,
    arrivals: Arrivals<E>,
}

impl<E> Natural<E> {
    pub fn new() -> Natural<E> {
        Natural::repeated(1)
    }

    /// So many executions: they differ only where the world leaves something to chance.
    pub fn repeated(times: usize) -> Natural<E> {
        Natural { left: times, arrivals: Arrivals::default() }
    }
}

impl<E> Default for Natural<E> {
    fn default() -> Natural<E> {
        Natural::new()
    }
}

impl<E: Schedulable> Strategy<E> for Natural<E> {
    fn begin(&mut self) -> bool {
        self.arrivals = Arrivals::default();
        let begins = self.left > 0;
        self.left = self.left.saturating_sub(1);
        begins
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        self.arrivals.observe(enabled);
        let Some(next) = self.arrivals.next(enabled, |_| true) else { return Choice::LetGo };
        self.arrivals.taken(&enabled[next]);
        Choice::Take(next)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {}

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}
