//! [`network_idle`]: the wait that tests in Playwright call `networkidle`. Used by the barrier instead of observing, where a
//! configuration asks for it, to compare both.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::movement::{any_change, revisions};
use crate::world::Client;

/// Returns when no client has had a request without an answer for so long, or when the limit is over. Messages of WebSockets
/// and events of streams are not counted, and streams that stay open are not waited for.
pub async fn network_idle(clients: &[Client], idle: Duration, limit: Duration) {
    let deadline = Instant::now() + limit;
    let mut requests = started(clients);
    let mut since = Instant::now();
    while Instant::now() < deadline {
        let (before, revisions) = (requests, revisions(clients));
        requests = started(clients);
        if requests != before || is_waiting(clients) {
            since = Instant::now();
        }
        let until = since + idle;
        if Instant::now() >= until {
            return;
        }
        let _ = timeout_at(until.min(deadline), any_change(clients, revisions)).await;
    }
}

/// How many requests there were.
fn started(clients: &[Client]) -> u64 {
    clients.iter().map(|client| client.proxy.counts().exchanges_started).sum()
}

fn is_waiting(clients: &[Client]) -> bool {
    clients.iter().any(|client| client.proxy.in_flight().iter().any(|request| !request.streams))
}
