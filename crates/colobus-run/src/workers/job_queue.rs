//! [`JobQueue`]: the jobs that workers have still to do, those included that one of them gave back. Shared by the threads of
//! [`Workers`](crate::Workers).

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a worker that waits for others looks whether it is needed.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// A job, and what happened to it so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub index: usize,
    /// How many worlds died in it.
    pub deaths: usize,
    /// Nothing could be said of it the first time.
    pub is_retry: bool,
}

/// What a worker that asks for a job gets.
pub(super) enum Taken {
    Task(Task),
    /// There is none, but others have some that they may give back.
    OthersWork,
    /// All are done.
    Over,
}

pub(super) struct JobQueue {
    jobs: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: usize,
    given_back: Vec<Task>,
    under_way: usize,
    /// Since when each of the workers waits that are about to have a world.
    opening: Vec<Instant>,
    /// No more jobs are given.
    is_ended: bool,
}

impl JobQueue {
    pub fn new(jobs: usize) -> JobQueue {
        JobQueue { jobs, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let changed = change(&mut self.state());
        self.changed.notify_all();
        changed
    }

    pub fn take(&self) -> Taken {
        let mut state = self.state();
        if state.is_ended {
            return Taken::Over;
        }
        let given_back = state.given_back.pop();
        let task = given_back.or_else(|| {
            let index = state.next;
            (index < self.jobs).then(|| {
                state.next += 1;
                Task { index, deaths: 0, is_retry: false }
            })
        });
        match task {
            Some(task) => {
                state.under_way += 1;
                Taken::Task(task)
            }
            None if state.under_way > 0 => Taken::OthersWork,
            None => Taken::Over,
        }
    }

    /// Another worker has to do it.
    pub fn give_back(&self, task: Task) {
        self.change(|state| {
            state.given_back.push(task);
            state.under_way -= 1;
        });
    }

    /// One more job is done.
    pub fn finished(&self) {
        self.change(|state| state.under_way -= 1);
    }

    /// No more jobs are given.
    pub fn end(&self) {
        self.change(|state| state.is_ended = true);
    }

    /// Whether nothing is left to do for a worker that comes later.
    pub fn is_done(&self) -> bool {
        let state = self.state();
        let is_empty = state.given_back.is_empty() && state.next >= self.jobs && state.under_way == 0;
        state.is_ended || is_empty
    }

    /// Counts the worker among those that wait for a world while it opens one.
    pub fn opening<T>(&self, open: impl FnOnce() -> T) -> T {
        let since = Instant::now();
        self.change(|state| state.opening.push(since));
        let opened = open();
        self.change(|state| {
            let place = state.opening.iter().position(|began| *began == since);
            place.map(|place| state.opening.swap_remove(place));
        });
        opened
    }

    /// Whether a worker has waited for a world for longer than this: perhaps because there are fewer places than workers.
    pub fn others_lack_places(&self, patience: Duration) -> bool {
        self.state().opening.iter().any(|since| since.elapsed() >= patience)
    }

    /// The same at the end, when nothing else is to be done: waits until all have their worlds, or one has waited for so long.
    pub fn others_lack_places_for(&self, patience: Duration) -> bool {
        let mut state = self.state();
        while !state.opening.is_empty() {
            if state.opening.iter().any(|since| since.elapsed() >= patience) {
                return true;
            }
            let waited = self.changed.wait_timeout(state, LOOK_AGAIN.min(patience));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }

    /// Whether a worker executes a job, and so has a world.
    pub fn others_have_worlds(&self) -> bool {
        self.state().under_way > 0
    }

    /// Waits until something changes, or for a moment.
    pub fn wait(&self) {
        let state = self.state();
        if state.is_ended || !state.given_back.is_empty() || state.under_way == 0 {
            return;
        }
        drop(self.changed.wait_timeout(state, LOOK_AGAIN));
    }
}
