//! [`Paces`]: how long executions take in the worlds of a run, by which a world is known that is much slower than the others: the session of a
//! node that has too much to do. Its place is given back.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// A world is slow if its executions take so many times as long as half of those in other worlds.
const SLOW: f64 = 4.0;
/// And so many milliseconds longer: less does not matter.
const SLOWER_BY_MS: f64 = 500.0;
/// How many jobs in a row have to be slow. Twice as many after each replacement: the Grid may have no better place.
const SLOW_JOBS: usize = 3;
/// How many jobs of others are compared with.
const COMPARED: usize = 64;
/// Fewer say nothing.
const FEWEST: usize = 8;

#[derive(Default)]
pub(super) struct Paces(Mutex<State>);

#[derive(Default)]
struct State {
    /// The newest jobs: by which worker, and how long an execution took.
    recent: VecDeque<(usize, f64)>,
    workers: Vec<Pace>,
}

#[derive(Clone, Copy)]
struct Pace {
    slow_in_a_row: usize,
    patience: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { slow_in_a_row: 0, patience: SLOW_JOBS }
    }
}

impl Paces {
    /// An execution took a worker so many milliseconds; whether its world is slow, and should be replaced.
    pub fn is_slow(&self, worker: usize, took_ms: f64) -> bool {
        let state = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.workers.len() <= worker {
            state.workers.resize(worker + 1, Pace::default());
        }
        let usual = usual(state.recent.iter().filter(|(other, _)| *other != worker).map(|(_, took)| *took));
        state.recent.push_back((worker, took_ms));
        if state.recent.len() > COMPARED {
            state.recent.pop_front();
        }
        let pace = &mut state.workers[worker];
        match usual.is_some_and(|usual| took_ms > usual * SLOW && took_ms > usual + SLOWER_BY_MS) {
            true => pace.slow_in_a_row += 1,
            false => pace.slow_in_a_row = 0,
        }
        let is_slow = pace.slow_in_a_row >= pace.patience;
        if is_slow {
            *pace = Pace { slow_in_a_row: 0, patience: pace.patience * 2 };
        }
        is_slow
    }
}

/// The median, if there are enough of them.
fn usual(times: impl Iterator<Item = f64>) -> Option<f64> {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    (times.len() >= FEWEST).then(|| times[times.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_slow_if_several_jobs_in_a_row_take_far_longer_than_those_of_others() {
        let paces = Paces::default();
        assert!((0..20).all(|_| !paces.is_slow(0, 900.0)), "there is no other");
        (0..FEWEST).for_each(|_| assert!(!paces.is_slow(1, 100.0)));
        let told = [900.0, 900.0, 100.0, 900.0, 900.0, 900.0].map(|took| paces.is_slow(0, took));
        assert_eq!(told, [false, false, false, false, false, true]);
        let told = [900.0; 6].map(|took| paces.is_slow(0, took));
        assert_eq!(told, [false, false, false, false, false, true], "twice as many after a replacement");
    }

    #[test]
    fn fractions_of_a_second_make_no_world_slow() {
        let paces = Paces::default();
        (0..FEWEST).for_each(|_| assert!(!paces.is_slow(1, 0.1)));
        assert!((0..20).all(|_| !paces.is_slow(0, 50.0)));
    }

    #[test]
    fn worlds_that_are_all_alike_or_slow_together_are_kept() {
        let paces = Paces::default();
        let took = |job: usize| if job < 60 { 100.0 } else { 900.0 };
        let slow = (0..200).filter(|job| paces.is_slow(job % 4, took(*job))).count();
        assert!(slow <= 4, "each at most once: {slow}");
        let kept = (0..200).all(|job| !paces.is_slow(job % 4, 900.0 + (job % 7) as f64 * 300.0));
        assert!(kept, "others are three times as fast at most");
    }
}
