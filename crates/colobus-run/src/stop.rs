//! [`StopSignal`]: whether a run has to end, and why. Set from outside, for instance by Ctrl-C, or by the time limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Shared by all threads of a run: once it is set the run ends soon, with a report of what is known.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    interrupted: Arc<AtomicBool>,
    deadline: Arc<OnceLock<Instant>>,
}

impl StopSignal {
    pub fn stop(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    /// The run has this long from now on. Only the first limit counts.
    pub(crate) fn limit(&self, time: Duration) {
        if let Some(deadline) = Instant::now().checked_add(time) {
            let _ = self.deadline.set(deadline);
        }
    }

    pub fn is_set(&self) -> bool {
        self.reason().is_some()
    }

    /// Whether somebody asked for the end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    pub fn reason(&self) -> Option<&'static str> {
        if self.is_interrupted() {
            Some("it was interrupted")
        } else if self.deadline.get().is_some_and(|deadline| Instant::now() >= *deadline) {
            Some("the time given by --timeout is over")
        } else {
            None
        }
    }
}
