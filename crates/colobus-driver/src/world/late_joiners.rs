//! [`LateJoiners`]: clients and tabs that open the document while others act. They do nothing; what they show in the end is
//! compared with what the others show.

use std::collections::BTreeSet;

use colobus_model::{ClientId, LateJoiner};
use futures_util::future::try_join_all;
use tokio::time::{Instant, timeout_at};

use super::client::Client;
use crate::settling::{Barrier, receive};
use colobus_proxy::ConnectionId;
use colobus_world::{ObserveOptions, WorldError};

/// Who came, by name, and where its page is.
#[derive(Default)]
pub struct LateJoiners(Vec<(String, Place)>);

/// The page of a late joiner: of a client of its own, or a tab of another's.
#[derive(Clone, Copy)]
pub enum Place {
    Client(usize),
    Tab { of: usize, number: usize },
}

impl LateJoiners {
    pub fn add(&mut self, name: String, place: Place) {
        self.0.push((name, place));
    }

    pub async fn observe(&self, clients: &[Client], wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        let page = |place: Place| match place {
            Place::Client(index) => clients.get(index),
            Place::Tab { of, number } => clients.get(of).and_then(|client| client.tabs.get(number)),
        };
        let seen = self.0.iter().filter_map(|(name, place)| Some((name, page(*place)?)));
        try_join_all(seen.map(async |(name, client)| {
            Ok(LateJoiner { name: name.clone(), observation: client.observe(wanted).await? })
        }))
        .await
    }
}

/// Shows the document to a client that was not there before; its own messages flow while it loads.
pub async fn join(clients: &[Client], id: ClientId, url: &str, barrier: &Barrier) -> Result<(), WorldError> {
    let Some(client) = clients.get(id.0) else { return Ok(()) };
    client.expect_fresh_document();
    super::order::reload(clients, id, url, barrier).await
}

/// Shows the document in the newest tab of a client. What the tab sends and gets flows; what the client's other pages sent
/// and are to get stays held.
pub async fn open_tab(clients: &[Client], id: ClientId, url: &str, barrier: &Barrier) -> Result<(), WorldError> {
    let Some((client, tab)) = clients.get(id.0).and_then(|client| Some((client, client.tabs.last()?))) else {
        return Ok(());
    };
    let older = connections(client);
    let arrived = tokio::select! {
        arrived = tab.visit(id, url) => arrived,
        never = let_through_for_ever(client, &older) => never,
    };
    arrived?;
    tab.page.begin_concurrent();
    let deadline = Instant::now() + client.page.limit();
    while Instant::now() < deadline {
        let moved = let_through(client, &older).await;
        receive(client).await?;
        barrier.hear_servers(clients).await?;
        if !moved && !has_newer(client, &older) {
            break;
        }
    }
    Ok(())
}

fn connections(client: &Client) -> BTreeSet<ConnectionId> {
    let sockets = client.proxy.sockets().into_iter().map(|socket| socket.id);
    let requests = client.proxy.in_flight().into_iter().map(|request| request.id);
    sockets.chain(requests).collect()
}

fn has_newer(client: &Client, older: &BTreeSet<ConnectionId>) -> bool {
    client.proxy.held().iter().any(|message| !older.contains(&message.connection))
}

/// Lets messages of newer connections through; whether there were any.
async fn let_through(client: &Client, older: &BTreeSet<ConnectionId>) -> bool {
    let held = client.proxy.held().into_iter();
    let mut moved = false;
    for message in held.filter(|message| !older.contains(&message.connection)) {
        // A connection that closed at this very moment took its message along.
        moved |= client.proxy.release(message.id).await.is_ok();
    }
    moved
}

async fn let_through_for_ever(client: &Client, older: &BTreeSet<ConnectionId>) -> Result<(), WorldError> {
    loop {
        let revision = client.proxy.counts().revision;
        if !let_through(client, older).await {
            let _ = timeout_at(Instant::now() + client.page.limit(), client.proxy.changed(revision)).await;
        }
    }
}
