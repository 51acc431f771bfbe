//! [`Barrier`]: knows when nothing moves any more, by asking instead of sleeping. A pass asks every page to drain and
//! compares what it sent and received with what its proxy saw, then pings the servers twice: a pong comes behind every
//! message that the server sent before it. A pass during which no count moved is the end. Where one of these cannot be
//! asked (TLS, workers, servers without pongs) a short quiet window decides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use colobus_trace::{ClientId, Settle};
use futures_util::future::{join_all, select_all, try_join_all};
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, timeout, timeout_at};

use super::client::Client;
use crate::proxy::{ConnectionId, Direction, Traffic};
use crate::{Settled, WorldError};

/// How long nothing may move where the barrier cannot look.
const QUIET: Duration = Duration::from_millis(30);
/// A request that takes longer than this without anything else moving waits for something: a long poll.
const LONG_POLL: Duration = Duration::from_millis(150);
/// How long a server may take to answer a ping before it is taken for one that never does.
const PONG_LIMIT: Duration = Duration::from_millis(1000);

#[derive(Default)]
pub struct Barrier {
    /// Servers that do not answer pings; waiting for them once is enough.
    silent: Mutex<BTreeSet<String>>,
}

/// What a page says of its sockets.
#[derive(Deserialize)]
struct PageReport {
    sockets: Vec<PageSocket>,
    connecting: usize,
}

#[derive(Deserialize)]
struct PageSocket {
    url: String,
    sent: u64,
    received: u64,
}

/// The sockets of one URL, seen from one side.
#[derive(Default, PartialEq, Eq)]
struct Side {
    sockets: usize,
    to_server: u64,
    to_client: u64,
}

/// How well page and proxy agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    Exact,
    /// Not everything can be compared: a quiet window has to decide.
    Blurred,
    /// Something is between them.
    Apart,
}

/// All counts of a proxy that only messages and requests move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Movement(Traffic, Traffic, u64, u64);

impl Barrier {
    /// Lets everything flow and returns when nothing moves, or when the limit is over.
    pub async fn settle(&self, clients: &[Client], settle: &Settle) -> Result<Settled, WorldError> {
        join_all(clients.iter().map(|client| client.proxy.open(Direction::BOTH))).await;
        if let Some(fixed) = settle.fixed_ms {
            tokio::time::sleep(Duration::from_millis(fixed)).await;
            return clients.iter().find_map(Client::whereabouts).map_or(Ok(Settled::Quiet), Err);
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
            let _ = timeout(Duration::from_millis(2), moved(clients, &before)).await;
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
        if has_young_requests(clients) {
            let _ = timeout_at(deadline.min(Instant::now() + LONG_POLL), moved(clients, &before)).await;
            return Ok(false);
        }
        let blurred = agreement == Agreement::Blurred || !all_answered;
        let window = if blurred { quiet.max(QUIET) } else { quiet };
        Ok(window.is_zero() || timeout(window, moved(clients, &before)).await.is_err())
    }

    /// Returns when all that the servers have to say so far has arrived, and is held or forwarded.
    pub async fn hear_servers(&self, clients: &[Client]) {
        for _ in 0..2 {
            let answers = join_all(clients.iter().map(|client| self.ping(client))).await;
            if !answers.into_iter().all(|answered| answered) {
                let before = movements(clients);
                let _ = timeout(QUIET, moved(clients, &before)).await;
            }
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

/// Returns when the page has digested what happened to it, and the proxy has all that the page says it sent.
pub async fn digest(client: &Client, held: bool) -> Result<(), WorldError> {
    let deadline = Instant::now() + client.limit();
    loop {
        let report = drain(client, Drain { requests: !held, frame: false }).await?;
        let revision = client.proxy.counts().revision;
        let sides = sides(client, &report);
        let behind = |(page, proxy): &(Side, Side)| page.sockets == proxy.sockets && proxy.to_server < page.to_server;
        if !sides.values().any(behind) || Instant::now() >= deadline {
            return client.whereabouts().map_or(Ok(()), Err);
        }
        let _ = timeout_at(deadline, client.proxy.changed(revision)).await;
    }
}

/// Returns when the page has got all that its proxy let through, has digested it, and the proxy has all that it sent.
pub async fn receive(client: &Client) -> Result<(), WorldError> {
    let deadline = Instant::now() + client.limit();
    loop {
        digest(client, true).await?;
        let report = drain(client, Drain { requests: false, frame: false }).await?;
        let behind = |(page, proxy): &(Side, Side)| page.sockets == proxy.sockets && page.to_client < proxy.to_client;
        if !sides(client, &report).values().any(behind) || Instant::now() >= deadline {
            return Ok(());
        }
    }
}

/// What a page waits for beside the callbacks that are due.
struct Drain {
    requests: bool,
    /// What happens when it is painted.
    frame: bool,
}

async fn drain(client: &Client, what: Drain) -> Result<PageReport, WorldError> {
    let what = json!({ "withRequests": what.requests, "withFrame": what.frame });
    let report = client.ask("settle.drain", &[what]).await?;
    if let Some(elsewhere) = client.whereabouts() {
        return Err(elsewhere);
    }
    serde_json::from_value(report)
        .map_err(|error| WorldError::Interrupted(format!("the page's report is unreadable: {error}")))
}

/// Both sides' view of the sockets, by URL. The proxy's view is newer than the page's.
fn sides(client: &Client, report: &PageReport) -> BTreeMap<String, (Side, Side)> {
    let mut sides: BTreeMap<String, (Side, Side)> = BTreeMap::new();
    for socket in &report.sockets {
        let side = &mut sides.entry(socket.url.clone()).or_default().0;
        side.sockets += 1;
        side.to_server += socket.sent;
        side.to_client += socket.received;
    }
    for socket in client.proxy.sockets() {
        let side = &mut sides.entry(socket.url).or_default().1;
        side.sockets += 1;
        side.to_server += socket.to_server.forwarded + socket.to_server.held;
        side.to_client += socket.to_client.forwarded;
    }
    sides
}

fn compare(client: &Client, report: &PageReport) -> Agreement {
    if report.connecting > 0 {
        return Agreement::Apart;
    }
    let counts = client.proxy.counts();
    let opaque = counts.to_client.opaque_bytes + counts.to_server.opaque_bytes > 0;
    let streams = client.proxy.in_flight().iter().any(|request| request.streams);
    let outset = if opaque || streams { Agreement::Blurred } else { Agreement::Exact };
    let agreement = |(page, proxy): &(Side, Side)| {
        if page == proxy {
            Agreement::Exact
        } else if page.sockets == proxy.sockets {
            Agreement::Apart
        } else {
            // A worker's socket, or one inside TLS, or one that is just closing.
            Agreement::Blurred
        }
    };
    sides(client, report).values().map(agreement).max().unwrap_or(outset).max(outset)
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
    let _ = timeout(Duration::from_millis(250), std::future::pending::<()>()).await;
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
