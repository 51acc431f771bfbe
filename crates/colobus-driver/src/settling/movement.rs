//! [`Movement`]: the counts of a proxy that only messages and requests move, and waiting for them to change.

use futures_util::future::select_all;

use crate::world::Client;
use colobus_proxy::Traffic;

/// All counts of a proxy that only messages and requests move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    to_server: Traffic,
    to_client: Traffic,
    started: u64,
    ended: u64,
}

impl Movement {
    /// What moved since then, for people.
    pub fn since(&self, earlier: &Movement) -> String {
        format!(
            "sends {} and receives {} messages, and makes {} requests,",
            self.to_server.messages - earlier.to_server.messages,
            self.to_client.messages - earlier.to_client.messages,
            self.started - earlier.started
        )
    }
}

pub fn movements(clients: &[Client]) -> Vec<Movement> {
    let movement = |client: &Client| {
        let counts = client.proxy.counts();
        let (started, ended) = (counts.exchanges_started, counts.exchanges_ended);
        Movement { to_server: counts.to_server, to_client: counts.to_client, started, ended }
    };
    clients.iter().map(movement).collect()
}

/// Returns when any count is no longer what it was.
pub async fn moved(clients: &[Client], before: &[Movement]) {
    loop {
        let revisions = revisions(clients);
        if clients.is_empty() || movements(clients) != before {
            return;
        }
        any_change(clients, revisions).await;
    }
}

/// Grow with everything that happens at the proxies, also when it is held.
pub fn revisions(clients: &[Client]) -> Vec<u64> {
    clients.iter().map(|client| client.proxy.counts().revision).collect()
}

/// Returns when something happened at any proxy since these revisions.
pub async fn any_change(clients: &[Client], revisions: Vec<u64>) {
    let changes = clients.iter().zip(revisions);
    let waiting: Vec<_> = changes.map(|(client, revision)| Box::pin(client.proxy.changed(revision))).collect();
    if waiting.is_empty() {
        return std::future::pending().await;
    }
    select_all(waiting).await;
}
