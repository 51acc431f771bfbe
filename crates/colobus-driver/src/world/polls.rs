//! Polls as events of an order: a page polls when its schedule says so, and the answer, out of date by then, arrives when it says
//! so.

use std::collections::BTreeSet;

use super::client::Client;
use crate::settling::{Barrier, quiesce, receive};
use colobus_proxy::{ConnectionId, Direction};
use colobus_world::WorldError;

/// The pages of a client poll now. Their requests go to the application, and the answers wait at the gate, also while it is open.
pub async fn ask(clients: &[Client], client: &Client, barrier: &Barrier) -> Result<(), WorldError> {
    for tab in std::iter::once(client).chain(&client.tabs) {
        let before: BTreeSet<ConnectionId> = tab.proxy.in_flight().into_iter().map(|request| request.id).collect();
        tab.page.ask("polls.now", &[]).await?;
        quiesce(tab, true).await?;
        let asked = tab
            .proxy
            .held()
            .into_iter()
            .filter(|message| message.direction == Direction::ToServer && !before.contains(&message.connection));
        for request in asked {
            tab.proxy.keep_answer(request.connection);
            // A connection that closed at this very moment took its message along.
            let _ = tab.proxy.release(request.id).await;
        }
    }
    barrier.hear_servers(clients).await
}

/// The answers to these polls arrive.
pub async fn answer(client: &Client) -> Result<(), WorldError> {
    for tab in std::iter::once(client).chain(&client.tabs) {
        tab.proxy.let_kept_answers_go().await;
        receive(tab).await?;
    }
    Ok(())
}
