//! [`Pings`]: asks the servers of WebSockets whether all they sent has arrived. A pong comes behind every message that the server
//! sent before it. Used by the barrier.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_model::UrlParts;
use futures_util::future::join_all;

use super::limits::{PONG_LIMIT, QUIET};
use crate::world::Client;
use colobus_proxy::ConnectionId;

#[derive(Default)]
pub struct Pings {
    /// Servers that do not answer pings; waiting for them once is enough.
    silent: Mutex<BTreeSet<String>>,
}

impl Pings {
    /// True if every server answered both times.
    pub async fn ping_twice(&self, clients: &[Client]) -> bool {
        let mut all_answered = true;
        for _ in 0..2 {
            let answers = join_all(clients.iter().map(|client| self.ping(client))).await;
            all_answered &= answers.into_iter().all(|answered| answered);
        }
        all_answered
    }

    /// True if every server of this client answered.
    async fn ping(&self, client: &Client) -> bool {
        let hosts: BTreeMap<ConnectionId, String> =
            client.proxy.sockets().into_iter().map(|socket| (socket.id, host(&socket.url).to_string())).collect();
        if hosts.is_empty() {
            return true;
        }
        let hopeless = hosts.values().all(|host| self.silent().contains(host));
        let outcome = client.proxy.ping_servers(if hopeless { QUIET } else { PONG_LIMIT }).await;
        let mut silent = self.silent();
        for host in outcome.answered.iter().filter_map(|id| hosts.get(id)) {
            silent.remove(host);
        }
        silent.extend(outcome.silent.iter().filter_map(|id| hosts.get(id).cloned()));
        outcome.silent.is_empty()
    }

    fn silent(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn host(url: &str) -> &str {
    UrlParts::of(url).map_or(url, |parts| parts.authority)
}
