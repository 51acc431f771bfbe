//! [`EarlyReductions`]: failures that are reduced beside the search. Workers for which there is no job left reduce the smallest failure of
//! every cause that is known, while others still search; what they find is used if that failure is still the smallest in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_model::Repetition;

use super::traffic::RecordedTraffic;
use crate::{Cause, Failure, Reduced};

/// A failure, reduced and run again, and its traffic.
pub(super) struct ReducedFailure<E> {
    pub reduced: Reduced<E>,
    pub repetition: Repetition,
    pub traffic: RecordedTraffic,
}

pub(super) struct EarlyReductions<E>(Mutex<State<E>>);

struct State<E> {
    /// The smallest failure of each cause: its size and its job.
    smallest: BTreeMap<String, (usize, usize, Failure)>,
    /// Jobs whose failures a worker has taken.
    taken: BTreeSet<usize>,
    done: BTreeMap<usize, ReducedFailure<E>>,
}

impl<E> Default for EarlyReductions<E> {
    fn default() -> Self {
        EarlyReductions(Mutex::new(State { smallest: BTreeMap::new(), taken: BTreeSet::new(), done: BTreeMap::new() }))
    }
}

impl<E> EarlyReductions<E> {
    fn state(&self) -> MutexGuard<'_, State<E>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job failed, and this is why.
    pub fn offer(&self, job: usize, cause: &Cause, failure: &Failure) {
        let mut state = self.state();
        let known = state.smallest.get(&cause.name);
        if known.is_none_or(|(size, known, _)| (cause.size, job) < (*size, *known)) {
            state.smallest.insert(cause.name.clone(), (cause.size, job, failure.clone()));
        }
    }

    /// The next failure to reduce, the smallest first; each is given once.
    pub fn next(&self) -> Option<(usize, Failure)> {
        let mut state = self.state();
        let left = state.smallest.values().filter(|(_, job, _)| !state.taken.contains(job));
        let (_, job, failure) = left.min_by_key(|(size, job, _)| (*size, *job))?.clone();
        state.taken.insert(job);
        Some((job, failure))
    }

    pub fn put(&self, job: usize, reduced: ReducedFailure<E>) {
        self.state().done.insert(job, reduced);
    }

    /// What became of the failure of this job, if it was reduced.
    pub fn take(&self, job: usize) -> Option<ReducedFailure<E>> {
        self.state().done.remove(&job)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::{CheckId, Difference, DifferenceKind};

    #[test]
    fn the_smallest_failure_of_every_cause_is_given_once() {
        let early: EarlyReductions<()> = EarlyReductions::default();
        let cause = |name: &str, size| Cause { name: name.into(), size };
        let failure = Failure::of(CheckId::new("any"), Difference { kind: DifferenceKind::Other, summary: "".into() });
        for (job, cause) in [(5, cause("a", 200)), (7, cause("b", 100)), (9, cause("a", 200)), (8, cause("a", 200))] {
            early.offer(job, &cause, &failure);
        }
        let next = || early.next().map(|(job, _)| job);
        assert_eq!([next(), next(), next()], [Some(7), Some(5), None]);
        early.offer(11, &cause("a", 100), &failure);
        assert_eq!([next(), next()], [Some(11), None], "a smaller one came later");
    }
}
