//! [`StopSignal`]: whether a run has to end, and why. Set from outside, for instance by Ctrl-C, or by the time limit.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shared by all threads of a run: once it is set the run ends soon, with a report of what is known.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<Shared>);

#[derive(Default)]
struct Shared {
    interrupted: AtomicBool,
    deadline: OnceLock<Instant>,
    listeners: Mutex<Vec<Listener>>,
}

type Listener = Box<dyn Fn() + Send>;

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.interrupted, self.deadline)
    }
}

impl StopSignal {
    pub fn stop(&self) {
        self.0.interrupted.store(true, Ordering::SeqCst);
        self.0.tell();
    }

    /// The run has this long from now on. Only the first limit counts.
    pub fn limit(&self, time: Duration) {
        let Some(deadline) = Instant::now().checked_add(time) else { return };
        if self.0.deadline.set(deadline).is_err() {
            return;
        }
        let shared = Arc::downgrade(&self.0);
        thread::spawn(move || {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            // A run that is over needs no end.
            if let Some(shared) = shared.upgrade() {
                shared.tell();
            }
        });
    }

    /// Calls `listener` as soon as the signal is set; at once if it is.
    pub fn on_set(&self, listener: impl Fn() + Send + 'static) {
        let mut listeners = self.0.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_set() {
            listener();
        }
        listeners.push(Box::new(listener));
    }

    /// A signal for what comes after the time limit: it is set when this one is interrupted, and has no limit yet.
    pub fn beyond_limit(&self) -> StopSignal {
        let beyond = StopSignal::default();
        let (shared, set) = (Arc::downgrade(&self.0), beyond.clone());
        self.on_set(move || {
            if shared.upgrade().is_some_and(|shared| shared.interrupted.load(Ordering::SeqCst)) {
                set.stop();
            }
        });
        beyond
    }

    pub fn is_set(&self) -> bool {
        self.reason().is_some()
    }

    /// Whether the end was asked for.
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::SeqCst)
    }

    pub fn reason(&self) -> Option<&'static str> {
        if self.is_interrupted() {
            Some("it was interrupted")
        } else if self.0.deadline.get().is_some_and(|deadline| Instant::now() >= *deadline) {
            Some("the time given by --timeout is over")
        } else {
            None
        }
    }
}

impl Shared {
    fn tell(&self) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|listener| listener());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn listeners_hear_of_interruptions_and_of_the_end_of_the_time() {
        for set in [StopSignal::stop, |signal: &StopSignal| signal.limit(Duration::from_millis(1))] {
            let (signal, (sender, heard)) = (StopSignal::default(), mpsc::channel());
            let late = sender.clone();
            signal.on_set(move || sender.send("before").unwrap());
            set(&signal);
            assert_eq!(heard.recv(), Ok("before"));
            signal.on_set(move || late.send("after").unwrap());
            assert_eq!(heard.recv(), Ok("after"));
        }
    }
}
