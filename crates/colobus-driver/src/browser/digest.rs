//! What has to be waited for after something happened to one page while the others wait: until the page has digested it,
//! and everything that is between page and proxy has arrived.

use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::client::Client;
use super::report::{Drain, drain};
use crate::WorldError;

/// How long page and proxy may disagree on what cannot be known for sure: requests that never reach a proxy, such as those
/// answered by a cache, or those that wait in the browser for a free connection.
const BENEFIT_OF_DOUBT: Duration = Duration::from_millis(100);
/// How long is waited before a page is asked again, if nothing moves.
const AGAIN: Duration = Duration::from_millis(2);

/// Returns when the page has digested what happened to it, and the proxy has all that the page says it sent.
pub async fn digest(client: &Client, held: bool) -> Result<(), WorldError> {
    let began = Instant::now();
    let (limit, doubt) = (began + client.limit(), began + BENEFIT_OF_DOUBT);
    loop {
        let revision = client.proxy.counts().revision;
        let report = drain(client, Drain { requests: !held, frame: false }).await?;
        let now = Instant::now();
        let unsure = held && now < doubt && (report.has_stray_requests(client) || report.connecting > 0);
        if !(unsure || report.is_ahead(client) && now < limit) {
            return client.whereabouts().map_or(Ok(()), Err);
        }
        let _ = timeout(AGAIN, client.proxy.changed(revision)).await;
    }
}

/// Returns when the page has got all that its proxy let through, has digested it, and the proxy has all that it sent.
pub async fn receive(client: &Client) -> Result<(), WorldError> {
    let deadline = Instant::now() + client.limit();
    loop {
        digest(client, true).await?;
        let report = drain(client, Drain { requests: false, frame: false }).await?;
        let missing =
            report.is_behind(client) || report.has_half_open_sockets(client) || report.holds_dead_sockets(client);
        if !missing || Instant::now() >= deadline {
            return Ok(());
        }
    }
}

/// Returns when a piece of a response, let through after `pieces` others, has arrived in the page and is digested.
pub async fn receive_piece(client: &Client, pieces: u64) -> Result<(), WorldError> {
    // Workers receive pieces that the page's record does not show.
    let _ = timeout_at(Instant::now() + BENEFIT_OF_DOUBT, client.record.more_pieces(pieces)).await;
    receive(client).await
}
