//! When nothing moves in any tab: documents are loaded, pages have drained their tasks, frames, timers and requests, and
//! nothing came over the network meanwhile. Sockets and streams cannot be asked: there, a quiet window decides.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout, timeout_at};

use super::Shared;
use crate::browser::scripts;

const QUIET: Duration = Duration::from_millis(50);

/// How long to wait before each line of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As long as the user did.
    Recorded,
    /// Until everything has settled.
    Fast,
    /// Not at all.
    None,
}

/// True if everything came to rest in time.
pub async fn settle(shared: &Shared, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        let tabs: Vec<_> = shared.tabs().into_iter().filter(|tab| !tab.is_closed()).collect();
        let loaded = shared.until(|_| tabs.iter().all(|tab| tab.is_closed() || tab.is_loaded()).then_some(()));
        if timeout_at(deadline, loaded).await.is_err() {
            return false;
        }
        let before: u64 = tabs.iter().map(|tab| tab.movement()).sum();
        let drain = scripts::call("settle.drain", &[json!({ "withRequests": true, "withFrame": true })]);
        for tab in &tabs {
            // A page that leaves in the middle is waited for in the next round.
            let _ = timeout_at(deadline, tab.evaluate(&drain)).await;
        }
        let now = || tabs.iter().map(|tab| tab.movement()).sum::<u64>();
        if now() != before || !tabs.iter().all(|tab| tab.is_closed() || tab.is_loaded()) {
            continue;
        }
        let streams = tabs.iter().any(|tab| tab.streams());
        let moves = shared.until(|_| (now() != before).then_some(()));
        if !streams || timeout(QUIET, moves).await.is_err() {
            return true;
        }
    }
    false
}
