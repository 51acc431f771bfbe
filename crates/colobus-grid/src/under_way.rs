//! [`UnderWay`]: a request for a session, or for the end of one, that is not answered yet. A process that ends before the answer leaves
//! a browser behind, so a command asks [`UnderWay::none_within`] before it ends.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Of this process: whichever hub was asked.
static COUNT: Count = Count { requests: Mutex::new(0), answered: Condvar::new() };

struct Count {
    requests: Mutex<usize>,
    answered: Condvar,
}

impl Count {
    fn requests(&self) -> MutexGuard<'_, usize> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts as one request until it is dropped.
#[derive(Debug)]
pub struct UnderWay(());

impl UnderWay {
    pub fn begin() -> UnderWay {
        *COUNT.requests() += 1;
        UnderWay(())
    }

    /// Waits until all requests are answered, or for so long: whether they are.
    pub fn none_within(patience: Duration) -> bool {
        let requests = COUNT.requests();
        let waited = COUNT.answered.wait_timeout_while(requests, patience, |requests| *requests > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        *COUNT.requests() -= 1;
        COUNT.answered.notify_all();
    }
}
