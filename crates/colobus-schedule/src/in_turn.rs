//! [`InTurn`]: each client acts after every earlier message has arrived everywhere. The order of users who wait for each other.

use std::collections::VecDeque;

use crate::natural::Arrivals;
use crate::{Choice, Digest, Divergences, Schedulable, Strategy};

/// One execution: messages before steps, and the steps of one client before those of the next, or as they were taken once.
#[derive(Clone, Debug)]
pub struct InTurn<E> {
    begun: bool,
    arrivals: Arrivals<E>,
    to_take: VecDeque<E>,
}

impl<E> InTurn<E> {
    pub fn new() -> InTurn<E> {
        InTurn::along(Vec::new())
    }

    /// The steps in this order; those that it does not name come after it.
    pub fn along(steps: Vec<E>) -> InTurn<E> {
        InTurn { begun: false, arrivals: Arrivals::default(), to_take: steps.into() }
    }
}

impl<E: Schedulable> InTurn<E> {
    fn next_step(&mut self, enabled: &[E]) -> Option<usize> {
        while let Some(step) = self.to_take.pop_front() {
            if let Some(index) = enabled.iter().position(|event| *event == step) {
                return Some(index);
            }
        }
        let steps = enabled.iter().enumerate().filter(|(_, event)| event.is_step());
        steps.min_by_key(|(_, event)| (*event).clone()).map(|(index, _)| index)
    }
}

impl<E> Default for InTurn<E> {
    fn default() -> InTurn<E> {
        InTurn::new()
    }
}

impl<E: Schedulable> Strategy<E> for InTurn<E> {
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        self.arrivals.observe(enabled);
        let message = self.arrivals.next(enabled, |event| !event.is_step() && !event.comes_last());
        let next = message.or_else(|| self.next_step(enabled)).or_else(|| self.arrivals.next(enabled, |_| true));
        let Some(next) = next else { return Choice::LetGo };
        self.arrivals.taken(&enabled[next]);
        Choice::Take(next)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {}

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}
