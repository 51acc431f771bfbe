//! Who joins a document first: client A, then B, then C. Applications number their users, and what two of them do at the
//! same time is often decided by these numbers. Pages are loaded at the same time; they talk to the application one after
//! the other.

use std::ops::Range;
use std::pin::pin;

use colobus_model::ClientId;
use futures_util::future::try_join_all;
use tokio::time::timeout;

use super::client::Client;
use crate::settling::limits::JOIN_LIMIT;
use crate::settling::{Barrier, Look};
use colobus_world::WorldError;

/// Brings these of the clients to the document; each talks to the application once those before it are there.
pub async fn join_in_order(
    clients: &[Client],
    joining: Range<usize>,
    url: &str,
    barrier: &Barrier,
) -> Result<(), WorldError> {
    let last = joining.end.saturating_sub(1);
    for client in &clients[joining.clone()] {
        client.proxy.let_talk(false);
    }
    if let Some(first) = clients[joining.clone()].first() {
        first.proxy.let_talk(true);
    }
    let visit = async |index: usize| {
        let mut visit = pin!(join(&clients[index], ClientId(index), url, barrier, index < last));
        let mut arrived = timeout(JOIN_LIMIT, visit.as_mut()).await;
        // A server that takes its time is waited for: only a client that waits for the next one needs it.
        while arrived.is_err() && barrier.awaits_answer(&clients[index]) {
            arrived = timeout(JOIN_LIMIT, visit.as_mut()).await;
        }
        if let Some(next) = clients[..=last].get(index + 1) {
            next.proxy.let_talk(true);
        }
        match arrived {
            Ok(arrived) => arrived,
            Err(_) => visit.await,
        }
    };
    let joined = try_join_all(joining.clone().map(visit)).await;
    for client in &clients[joining] {
        client.proxy.let_talk(true);
    }
    joined.map(|_| ())
}

/// Where nothing says when a page is ready, it is once nothing moves.
async fn join(
    client: &Client,
    id: ClientId,
    url: &str,
    barrier: &Barrier,
    others_follow: bool,
) -> Result<(), WorldError> {
    client.visit(id, url).await?;
    let settle = &client.application.settle;
    if others_follow && client.application.ready.is_none() && settle.fixed_ms.is_none() {
        barrier.settle(std::slice::from_ref(client), settle, Look::Joining).await?;
    }
    Ok(())
}
