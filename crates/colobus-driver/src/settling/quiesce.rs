//! Waiting after something happened to one client while the others wait: until its pages have processed it, and everything
//! between pages and proxy has arrived.

use std::collections::BTreeSet;

use colobus_proxy::ConnectionId;
use tokio::time::{Instant, timeout};
use tracing::debug;

use super::limits::{ASK_AGAIN, DISAGREEMENT, QUESTIONS_IN_DISAGREEMENT};
use super::page_activity::{Drain, drain};
use crate::world::Client;
use colobus_world::WorldError;

/// The time that page and proxy are given to agree.
struct Disagreement {
    until: Instant,
    asked: u32,
}

impl Disagreement {
    fn begin() -> Self {
        Disagreement { until: Instant::now() + DISAGREEMENT, asked: 0 }
    }

    /// To be called each time that the page was asked.
    fn lasts(&mut self) -> bool {
        self.asked += 1;
        self.asked < QUESTIONS_IN_DISAGREEMENT || Instant::now() < self.until
    }
}

/// Returns when the page has processed what happened to it, and the proxy has all that the page says it sent.
pub async fn quiesce(client: &Client, held: bool) -> Result<(), WorldError> {
    let begun = Instant::now();
    let (limit, mut disagreement) = (begun + client.page.limit(), Disagreement::begin());
    loop {
        let revision = client.proxy.counts().revision;
        let report = drain(client, Drain { requests: !held, frame: false, polls_wait: false }).await?;
        let unsure = held
            && disagreement.lasts()
            && (!report.stray_requests(client).is_empty()
                || report.connecting > 0
                || has_requests_before_the_gate(client));
        let is_ahead = report.is_ahead(client);
        if !(unsure || is_ahead) || Instant::now() >= limit {
            let milliseconds = begun.elapsed().as_millis();
            debug!(target: "settling", milliseconds, unsure, is_ahead, "a page has processed what happened to it");
            return client.page.navigation_error().map_or(Ok(()), Err);
        }
        debug!(target: "settling", unsure, is_ahead, "again: the proxy may not have all that a page has sent");
        let _ = timeout(ASK_AGAIN, client.proxy.changed(revision)).await;
    }
}

/// Whether the proxy knows of requests that have not come as far as its gate: it connects to the server first, and reads the whole
/// of them.
fn has_requests_before_the_gate(client: &Client) -> bool {
    // What is at the gate is looked up last: a request gets there, and leaves from there.
    let unsent: Vec<ConnectionId> =
        client.proxy.in_flight().into_iter().filter(|request| !request.sent).map(|request| request.id).collect();
    let at_gate: BTreeSet<ConnectionId> = client.proxy.held().into_iter().map(|message| message.connection).collect();
    !unsent.iter().all(|id| at_gate.contains(id))
}

/// Returns when the page has received all that its proxy let through, has processed it, and the proxy has all that the
/// page sent.
pub async fn receive(client: &Client) -> Result<(), WorldError> {
    let deadline = Instant::now() + client.page.limit();
    loop {
        quiesce(client, true).await?;
        let report = drain(client, Drain { requests: false, frame: false, polls_wait: false }).await?;
        let missing =
            report.is_behind(client) || report.has_half_open_sockets(client) || report.holds_dead_sockets(client);
        if !missing || Instant::now() >= deadline {
            return Ok(());
        }
        debug!(target: "settling", "again: a page has not received all that its proxy let through");
    }
}

/// Returns when a piece of a response, let through after `pieces` others, has arrived in the page and is processed.
pub async fn receive_piece(client: &Client, pieces: u64) -> Result<(), WorldError> {
    // Workers receive pieces that the page's record does not show.
    let (limit, mut disagreement) = (Instant::now() + client.page.limit(), Disagreement::begin());
    while timeout(ASK_AGAIN, client.page.more_pieces(pieces)).await.is_err()
        && disagreement.lasts()
        && Instant::now() < limit
    {
        drain(client, Drain { requests: false, frame: false, polls_wait: false }).await?;
    }
    receive(client).await
}
