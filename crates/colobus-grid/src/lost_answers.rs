//! Sessions whose opening was not heard of: the connection to the hub broke before its answer, and the browser keeps its place. Each
//! session has a name of its own, by which the hub's list tells whether it was opened.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tracing::info;

use crate::{GridError, Hub, UnderWay};

/// How long the hub may take to open a session after its answer was lost.
const LATE: Duration = Duration::from_secs(60);
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// A name that no other session has.
pub(crate) fn session_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("colobus-{}-{now:x}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Hub {
    /// Gives a session back that the hub has opened, or is about to open, although its answer was lost.
    pub(crate) fn give_back_if_opened(&self, name: String, error: &GridError) {
        if !matches!(error, GridError::Unreachable { .. }) {
            return;
        }
        // A hub that says how it is was there all the time: it was the connection that broke.
        let is_there = self.has_opened.load(Ordering::Relaxed) || self.status().is_ok();
        if is_there {
            self.has_opened.store(true, Ordering::Relaxed);
            let (hub, under_way) = (self.clone(), UnderWay::begin());
            thread::spawn(move || {
                hub.give_back(&name);
                drop(under_way);
            });
        }
    }

    /// Looks for it until it is there, or for a while.
    fn give_back(&self, name: &str) {
        let limit = Instant::now() + LATE;
        while Instant::now() < limit {
            let opened = self.status().ok().and_then(|status| status.session_named(name).map(str::to_string));
            if let Some(session) = opened {
                info!(target: "grid", session, "the answer of the hub was lost: its session is given back");
                if self.end_session(&session).is_ok() {
                    return;
                }
            }
            thread::sleep(BETWEEN_LOOKS);
        }
    }
}
