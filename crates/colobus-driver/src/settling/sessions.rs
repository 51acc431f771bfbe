//! Settling of free pages: documents are loaded, pages have drained their callbacks, frames and requests, and nothing moved
//! on the network meanwhile. Sockets and streams cannot be asked: there, a quiet window decides.

use std::time::Duration;

use colobus_browser::scripts;
use serde_json::json;
use tokio::time::{Instant, timeout, timeout_at};
use tracing::debug;

use super::limits::QUIET_IN_SESSIONS;
use crate::session::{OpenTabs, Tab};

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
pub async fn settle_sessions(open_tabs: &OpenTabs, limit: Duration) -> bool {
    let begun = Instant::now();
    let rested = rest(open_tabs, begun + limit).await;
    let milliseconds = begun.elapsed().as_millis();
    match rested {
        true => debug!(target: "settling", milliseconds, "pages came to rest"),
        false => debug!(target: "settling", milliseconds, "pages did not come to rest"),
    }
    rested
}

async fn rest(open_tabs: &OpenTabs, deadline: Instant) -> bool {
    let is_still = |tab: &Tab| tab.page.is_closed() || tab.page.is_loaded();
    while Instant::now() < deadline {
        let tabs: Vec<_> = open_tabs.all().into_iter().filter(|tab| !tab.page.is_closed()).collect();
        let loaded = open_tabs.until(|_| tabs.iter().all(|tab| is_still(tab)).then_some(()));
        if timeout_at(deadline, loaded).await.is_err() {
            debug!(target: "settling", "a document is not loaded");
            return false;
        }
        let before: u64 = tabs.iter().map(|tab| tab.page.movement()).sum();
        let drain = scripts::call("settle.drain", &[json!({ "withRequests": true, "frame": "next" })]);
        for tab in &tabs {
            // A page that leaves in the middle is waited for in the next round.
            let _ = timeout_at(deadline, tab.page.value_in(None, &drain)).await;
        }
        let now = || tabs.iter().map(|tab| tab.page.movement()).sum::<u64>();
        if now() != before || !tabs.iter().all(|tab| is_still(tab)) {
            debug!(target: "settling", "again: something moved on the network meanwhile");
            continue;
        }
        let streams = tabs.iter().any(|tab| tab.page.has_streams());
        let moves = open_tabs.until(|_| (now() != before).then_some(()));
        if !streams || timeout(QUIET_IN_SESSIONS, moves).await.is_err() {
            return true;
        }
        debug!(target: "settling", "again: a socket or a stream said something");
    }
    false
}
