//! Waiting after something happened to one client while the others wait: until its pages have processed it, and everything
//! between pages and proxy has arrived.

use std::collections::BTreeSet;

use colobus_proxy::ConnectionId;
use tokio::time::{Instant, timeout};
use tracing::debug;

use super::limits::{ASK_AGAIN, PIECE_LIMIT, QUESTIONS_FOR_A_PIECE};
use super::page_activity::{Drain, Frame, PageRequest, drain};
use crate::world::Client;
use colobus_world::WorldError;

/// Returns when the page has processed what happened to it, and the proxy has all that the page says it sent. While messages are held,
/// that is what the order goes on with: if it takes too long, nothing can be said of this order. Otherwise settling follows, and finds
/// what is missing.
pub async fn quiesce(client: &Client, held: bool) -> Result<(), WorldError> {
    let begun = Instant::now();
    let limit = begun + client.page.limit();
    loop {
        let revision = client.proxy.counts().revision;
        let report = drain(client, Drain { requests: !held, frame: Frame::None, polls_wait: false }).await?;
        // A client that is offline tries in vain.
        let compares = held && !client.proxy.is_offline();
        // What is in flight is held, or its answer is going to be: what waits for that inside the browser stays there.
        let missing = if compares { report.missing_requests(client, &client.proxy.in_flight()) } else { Vec::new() };
        let unsure = compares && (!missing.is_empty() || report.connecting > 0 || has_requests_before_the_gate(client));
        let is_ahead = report.is_ahead(client);
        let milliseconds = begun.elapsed().as_millis();
        if !(unsure || is_ahead) {
            debug!(target: "settling", milliseconds, "a page has processed what happened to it");
            return client.page.navigation_error().map_or(Ok(()), Err);
        }
        if Instant::now() >= limit {
            client.page.navigation_error().map_or(Ok(()), Err)?;
            return if held { Err(stays_inside(&missing, milliseconds)) } else { Ok(()) };
        }
        debug!(target: "settling", unsure, is_ahead, "again: the proxy may not have all that a page has sent");
        let _ = timeout(ASK_AGAIN, client.proxy.changed(revision)).await;
    }
}

/// The order cannot go on.
fn stays_inside(missing: &[&PageRequest], milliseconds: u128) -> WorldError {
    let what = match missing.first() {
        Some(PageRequest { method, url, .. }) => format!("{method} {url}"),
        None => "a message".to_string(),
    };
    WorldError::Interrupted(format!(
        "while messages were held, {what} of a page was not at its proxy after {milliseconds} ms; on a busy machine a greater \
         `settle.limit_ms` helps"
    ))
}

/// Whether the proxy knows of requests that have not come as far as its gate: it connects to the server first, and reads the whole
/// of them.
pub fn has_requests_before_the_gate(client: &Client) -> bool {
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
        let report = drain(client, Drain { requests: false, frame: Frame::None, polls_wait: false }).await?;
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
    let (begun, mut asked) = (Instant::now(), 0);
    let may_arrive = |asked: u32| asked < QUESTIONS_FOR_A_PIECE || begun.elapsed() < PIECE_LIMIT;
    while timeout(ASK_AGAIN, client.page.more_pieces(pieces)).await.is_err()
        && may_arrive(asked)
        && begun.elapsed() < client.page.limit()
    {
        asked += 1;
        drain(client, Drain { requests: false, frame: Frame::None, polls_wait: false }).await?;
    }
    receive(client).await
}
