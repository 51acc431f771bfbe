//! [`Barrier`]: knows when nothing moves any more in any client of a world. A pass asks every page to drain and
//! compares what it sent and received with what its proxy saw, then pings the servers twice: a pong comes behind every
//! message that the server sent before it. A pass during which no count moved is the end. Where one of these cannot be
//! asked (TLS that stays closed, event streams, servers without pongs) a short quiet window decides. An application that we
//! started is asked whether it has anything left to do ([`Server`]); then neither open requests nor quiet windows decide.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use colobus_model::{ClientId, Settle};
use futures_util::future::{join_all, select_all, try_join_all};
use tokio::time::{Instant, timeout, timeout_at};

use super::limits::{ASK_AGAIN, LONG_POLL, PONG_LIMIT, QUIET, RESTLESSNESS};
use super::page_activity::{Agreement, Drain, compare, drain};
use super::server::{Rest, Server};
use crate::world::Client;
use colobus_proxy::{ConnectionId, Direction, Traffic};
use colobus_world::{Settled, WorldError};

#[derive(Default)]
pub struct Barrier {
    server: Server,
    /// Servers that do not answer pings; waiting for them once is enough.
    silent: Mutex<BTreeSet<String>>,
}

/// All counts of a proxy that only messages and requests move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Movement(Traffic, Traffic, u64, u64);

impl Barrier {
    pub fn new(server: Server) -> Barrier {
        Barrier { server, ..Barrier::default() }
    }

    /// Lets everything flow and returns when nothing moves, or when the limit is over.
    pub async fn settle(&self, clients: &[Client], settle: &Settle) -> Result<Settled, WorldError> {
        join_all(clients.iter().map(|client| client.proxy.open(Direction::BOTH))).await;
        if let Some(fixed) = settle.fixed_ms {
            tokio::time::sleep(Duration::from_millis(fixed)).await;
            return clients.iter().find_map(|client| client.page.navigation_error()).map_or(Ok(Settled::Quiet), Err);
        }
        let deadline = Instant::now() + Duration::from_millis(settle.limit_ms);
        let quiet = Duration::from_millis(settle.quiet_ms);
        while Instant::now() < deadline {
            if self.pass(clients, quiet, deadline).await? {
                return Ok(Settled::Quiet);
            }
        }
        Ok(Settled::Restless(restlessness(clients, settle.limit_ms).await))
    }

    /// One pass; true if nothing moved.
    async fn pass(&self, clients: &[Client], quiet: Duration, deadline: Instant) -> Result<bool, WorldError> {
        let before = movements(clients);
        let reports =
            try_join_all(clients.iter().map(|client| drain(client, Drain { requests: true, frame: true }))).await?;
        let compared = clients.iter().zip(&reports).map(|(client, report)| compare(client, report));
        let agreement = compared.max().unwrap_or(Agreement::Exact);
        if agreement == Agreement::Apart {
            // What is on its way to a page shows in its next report; what is on its way to a proxy shows there.
            let _ = timeout(ASK_AGAIN, moved(clients, &before)).await;
            return Ok(false);
        }
        let mut all_answered = true;
        for _ in 0..2 {
            let answers = join_all(clients.iter().map(|client| self.ping(client))).await;
            all_answered &= answers.into_iter().all(|answered| answered);
        }
        if movements(clients) != before {
            return Ok(false);
        }
        let blurred = agreement == Agreement::Blurred;
        match self.server_rest(clients, &before, deadline).await {
            Rest::Moved => return Ok(false),
            // The page may not have got all that its proxy forwarded, if that cannot be compared.
            Rest::Idle if blurred => return Ok(timeout(QUIET, moved(clients, &before)).await.is_err()),
            Rest::Idle => return Ok(true),
            Rest::Unknown => {}
        }
        if has_young_requests(clients) {
            let _ = timeout_at(deadline.min(Instant::now() + LONG_POLL), moved(clients, &before)).await;
            return Ok(false);
        }
        let window = if blurred || !all_answered { quiet.max(QUIET) } else { quiet };
        Ok(window.is_zero() || timeout(window, moved(clients, &before)).await.is_err())
    }

    /// Returns when all that the servers have to say so far has arrived, and is held or forwarded.
    pub async fn hear_servers(&self, clients: &[Client]) {
        let Some(limit) = clients.iter().map(|client| client.page.limit()).max() else { return };
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            let before = movements(clients);
            match self.server_rest(clients, &before, deadline).await {
                Rest::Idle => return,
                Rest::Moved => {}
                Rest::Unknown => return self.hear_pongs(clients).await,
            }
        }
    }

    /// Waits for the server, unless the user says that it answers everything at once: `quiet_ms = 0`.
    async fn server_rest(&self, clients: &[Client], before: &[Movement], deadline: Instant) -> Rest {
        if clients.iter().all(|client| client.application.settle.quiet_ms == 0) {
            return Rest::Unknown;
        }
        self.server.rest(|| moved(clients, before), deadline).await
    }

    async fn hear_pongs(&self, clients: &[Client]) {
        let mut all_answered = true;
        for _ in 0..2 {
            let answers = join_all(clients.iter().map(|client| self.ping(client))).await;
            all_answered &= answers.into_iter().all(|answered| answered);
        }
        let has_open_requests = clients.iter().any(|client| !client.proxy.in_flight().is_empty());
        if !all_answered || has_open_requests {
            // Servers that push continuously are waited for up to the limit only.
            let _ = timeout(PONG_LIMIT, wait_idle(clients)).await;
        }
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

    fn silent(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn movements(clients: &[Client]) -> Vec<Movement> {
    let movement = |client: &Client| {
        let counts = client.proxy.counts();
        Movement(counts.to_server, counts.to_client, counts.exchanges_started, counts.exchanges_ended)
    };
    clients.iter().map(movement).collect()
}

/// Returns when any count is no longer what it was.
async fn moved(clients: &[Client], before: &[Movement]) {
    loop {
        let revisions: Vec<u64> = clients.iter().map(|client| client.proxy.counts().revision).collect();
        if clients.is_empty() || movements(clients) != before {
            return;
        }
        let changes = clients.iter().zip(revisions);
        select_all(changes.map(|(client, revision)| Box::pin(client.proxy.changed(revision)))).await;
    }
}

/// Returns when nothing has arrived at any proxy for a while: streams and long polls answer no pings.
async fn wait_idle(clients: &[Client]) {
    let arrival = || {
        let changes = clients.iter().map(|client| Box::pin(client.proxy.changed(client.proxy.counts().revision)));
        select_all(changes)
    };
    while !clients.is_empty() && timeout(QUIET, arrival()).await.is_ok() {}
}

fn has_young_requests(clients: &[Client]) -> bool {
    let young = |client: &Client| {
        let requests = client.proxy.in_flight();
        requests.iter().any(|request| !request.streams && request.age < LONG_POLL)
    };
    clients.iter().any(young)
}

/// What moves, for people.
async fn restlessness(clients: &[Client], limit_ms: u64) -> String {
    let before = movements(clients);
    let _ = timeout(RESTLESSNESS, std::future::pending::<()>()).await;
    let after = movements(clients);
    let moving: Vec<String> = before
        .iter()
        .zip(&after)
        .enumerate()
        .filter(|(_, (before, after))| before != after)
        .map(|(client, (before, after))| {
            format!(
                "client {} sends {} and receives {} messages, and makes {} requests, in a quarter of a second",
                ClientId(client),
                after.0.messages - before.0.messages,
                after.1.messages - before.1.messages,
                after.2 - before.2
            )
        })
        .collect();
    let what = if moving.is_empty() { "a page keeps itself busy".to_string() } else { moving.join("; ") };
    format!("not settled after {limit_ms} ms: {what}")
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
