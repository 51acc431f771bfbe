//! [`PageActivity`]: what a page says of its own traffic, and how it compares with what the proxy saw of it.

use std::collections::BTreeMap;
use std::time::Duration;

use colobus_model::UrlParts;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::limits::MOST_ROUNDS;
use super::polls::PageTimer;
use crate::world::Client;
use colobus_proxy::RequestInfo;
use colobus_world::WorldError;

/// What a page says of its sockets and requests, and those of its workers.
#[derive(Deserialize)]
pub struct PageActivity {
    sockets: Vec<PageSocket>,
    /// Sockets that are not open yet, however long they take.
    opening: Vec<PageRequest>,
    /// Sockets that are about to open, and workers that are about to begin.
    pub connecting: usize,
    /// What answers are still expected to.
    requests: Vec<PageRequest>,
    /// How many messages it has posted to other windows and workers.
    posts: u64,
    /// Timers that go off again and again, or late.
    pub timers: Vec<PageTimer>,
    /// Something happened in it since its last frame. Always true of web workers: what they post is not counted in the page.
    pub needs_frame: bool,
}

/// A request that a page has made and that is not answered, as far as the page knows.
#[derive(Clone, Debug, Deserialize)]
pub struct PageRequest {
    pub method: String,
    pub url: String,
    age_ms: f64,
    /// Whether the browser sends it only when equal ones that the page has made before are answered: it may have the answer in its
    /// cache by then.
    pub after_equal: bool,
    /// How many equal ones were answered, as far as the page knows, since everything settled last.
    pub equals_answered: u64,
}

impl PageRequest {
    pub fn age(&self) -> Duration {
        Duration::from_secs_f64(self.age_ms.max(0.0) / 1000.0)
    }
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
pub enum Agreement {
    Exact,
    /// Not everything can be compared: a quiet window has to decide.
    Blurred,
    /// Something is between them.
    Apart,
}

/// What a page waits for beside the callbacks that are due.
pub struct Drain {
    pub requests: bool,
    pub frame: Frame,
    /// From now on timers that poll go off only when they are let.
    pub polls_wait: bool,
}

/// Whether a page waits for what happens when it is painted.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Frame {
    None,
    Next,
    /// The one that the look before has drawn.
    OfLook,
}

/// Drains the pages of a client and their workers.
pub async fn drain(client: &Client, what: Drain) -> Result<PageActivity, WorldError> {
    let mut report = drain_with_workers(client, &what).await?;
    for tab in &client.tabs {
        report = report.with(drain_with_workers(tab, &what).await?);
    }
    Ok(report)
}

/// Drains page and workers, until none of them has posted anything to another meanwhile.
async fn drain_with_workers(client: &Client, what: &Drain) -> Result<PageActivity, WorldError> {
    let mut report = drain_page(client, what).await?;
    let mut posts = None;
    report.connecting += client.workers.starting();
    for _ in 0..MOST_ROUNDS {
        let below = drain_workers(client, what).await?;
        if below.is_empty() {
            break;
        }
        report = below.into_iter().fold(drain_page(client, what).await?, PageActivity::with);
        report.connecting += client.workers.starting();
        if posts.replace(report.posts) == Some(report.posts) {
            break;
        }
    }
    Ok(report)
}

async fn drain_page(client: &Client, what: &Drain) -> Result<PageActivity, WorldError> {
    let report = client.page.ask("settle.drain", &[what.settings(what.frame)]).await?;
    if let Some(elsewhere) = client.page.navigation_error() {
        return Err(elsewhere);
    }
    serde_json::from_value(report)
        .map_err(|error| WorldError::Interrupted(format!("the page's report is unreadable: {error}")))
}

/// What the web workers say.
async fn drain_workers(client: &Client, what: &Drain) -> Result<Vec<PageActivity>, WorldError> {
    // A worker that closes itself while it is asked neither answers nor is reported as gone. Waiting for it must leave time
    // to settle with the others.
    client.workers.ask_all("settle.drain", &[what.settings(Frame::None)], client.page.limit() / 4).await
}

impl Drain {
    fn settings(&self, frame: Frame) -> Value {
        json!({ "withRequests": self.requests, "frame": frame, "pollsWait": self.polls_wait })
    }
}

impl PageActivity {
    fn with(mut self, other: PageActivity) -> PageActivity {
        self.sockets.extend(other.sockets);
        self.opening.extend(other.opening);
        self.connecting += other.connecting;
        self.requests.extend(other.requests);
        self.posts += other.posts;
        self.timers.extend(other.timers);
        self.needs_frame |= other.needs_frame;
        self
    }

    /// Whether the page has sent something over a socket that the proxy has not got yet.
    pub fn is_ahead(&self, client: &Client) -> bool {
        self.comparable(client, |page, proxy| page.to_server > proxy.to_server)
    }

    /// Whether the proxy has forwarded something over a socket that the page has not got yet.
    pub fn is_behind(&self, client: &Client) -> bool {
        self.comparable(client, |page, proxy| page.to_client < proxy.to_client)
    }

    fn comparable(&self, client: &Client, differ: impl Fn(&Side, &Side) -> bool) -> bool {
        sides(client, self).values().any(|(page, proxy)| page.sockets == proxy.sockets && differ(page, proxy))
    }

    /// Whether the page has yet to notice that a socket is open.
    pub fn has_half_open_sockets(&self, client: &Client) -> bool {
        let sides = sides(client, self);
        let open = |socket: &PageRequest| sides.get(&UrlParts::without_default_port(&socket.url));
        self.opening.iter().filter_map(open).any(|(page, proxy)| page.sockets < proxy.sockets)
    }

    /// Whether the page has sockets that the proxy has closed.
    pub fn holds_dead_sockets(&self, client: &Client) -> bool {
        if has_secrets(client) {
            return false;
        }
        sides(client, self).values().any(|(page, proxy)| page.sockets > proxy.sockets)
    }

    /// The requests whose answers the page expects, handshakes of sockets among them, and that the proxy does not know: not yet, or
    /// no longer.
    pub fn stray_requests(&self, client: &Client) -> Vec<&PageRequest> {
        stray(self.expected(), &client.proxy.in_flight())
    }

    /// All requests whose answers the page expects, handshakes of sockets among them.
    pub fn expected(&self) -> impl Iterator<Item = &PageRequest> {
        self.requests.iter().chain(&self.opening)
    }
}

/// Those of a page's requests that are not among those in flight.
fn stray<'a>(requests: impl Iterator<Item = &'a PageRequest>, in_flight: &[RequestInfo]) -> Vec<&'a PageRequest> {
    let passes_proxies = |url: &str| ["http:", "https:", "ws:", "wss:"].iter().any(|scheme| url.starts_with(scheme));
    let mut known: Vec<&RequestInfo> = in_flight.iter().collect();
    let is_stray = |request: &&PageRequest| {
        let place = known.iter().position(|known| is_for(known, &request.url));
        place.map(|place| known.swap_remove(place)).is_none()
    };
    requests.filter(|request| passes_proxies(&request.url)).filter(is_stray).collect()
}

/// Whether a request in flight is one that a page has made to this address, perhaps by redirects.
pub fn is_for(in_flight: &RequestInfo, url: &str) -> bool {
    let url = UrlParts::without_default_port(url);
    let addresses = [Some(&in_flight.url), in_flight.asked_for.as_ref()];
    addresses.into_iter().flatten().any(|address| UrlParts::without_default_port(address) == url)
}

/// Both sides' view of the sockets, by URL. The proxy's view is newer than the page's.
fn sides(client: &Client, report: &PageActivity) -> BTreeMap<String, (Side, Side)> {
    let mut sides: BTreeMap<String, (Side, Side)> = BTreeMap::new();
    for socket in &report.sockets {
        let side = &mut sides.entry(UrlParts::without_default_port(&socket.url)).or_default().0;
        side.sockets += 1;
        side.to_server += socket.sent;
        side.to_client += socket.received;
    }
    for socket in client.proxy.sockets() {
        let side = &mut sides.entry(UrlParts::without_default_port(&socket.url)).or_default().1;
        side.sockets += 1;
        side.to_server += socket.to_server.forwarded + socket.to_server.held;
        side.to_client += socket.to_client.forwarded;
    }
    sides
}

/// Whether something passed the proxy that it could not look into.
pub fn has_secrets(client: &Client) -> bool {
    let counts = client.proxy.counts();
    counts.to_client.opaque_bytes + counts.to_server.opaque_bytes > 0
}

pub fn compare(client: &Client, report: &PageActivity) -> Agreement {
    if report.connecting > 0 || report.has_half_open_sockets(client) {
        return Agreement::Apart;
    }
    let streams = client.proxy.in_flight().iter().any(|request| request.streams);
    let outset = if has_secrets(client) || streams { Agreement::Blurred } else { Agreement::Exact };
    let agreement = |(page, proxy): &(Side, Side)| {
        if page == proxy {
            Agreement::Exact
        } else if page.sockets == proxy.sockets {
            Agreement::Apart
        } else {
            // A socket of a worker that does not answer, or inside TLS, or one that is just closing.
            Agreement::Blurred
        }
    };
    sides(client, report).values().map(agreement).max().unwrap_or(outset).max(outset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_proxy::ConnectionId;

    fn request(url: &str) -> PageRequest {
        PageRequest { method: "GET".into(), url: url.into(), age_ms: 200.0, after_equal: true, equals_answered: 0 }
    }

    fn in_flight(url: &str) -> RequestInfo {
        RequestInfo {
            id: ConnectionId(1),
            method: "GET".into(),
            url: url.into(),
            asked_for: None,
            age: Duration::ZERO,
            streams: false,
            sent: true,
        }
    }

    #[test]
    fn what_only_a_page_knows_of_is_stray() {
        let requests = [
            request("http://a.example/items"),
            request("http://a.example/items"),
            request("ws://a.example:80/socket"),
            request("wss://a.example/socket"),
            request("http://a.example/old"),
            request("blob:http://a.example/1"),
        ];
        let redirected =
            RequestInfo { asked_for: Some("http://a.example:80/old".into()), ..in_flight("http://a.example:80/new") };
        let known = [in_flight("http://a.example:80/items"), in_flight("wss://a.example:443/socket"), redirected];
        let urls: Vec<&str> = stray(requests.iter(), &known).into_iter().map(|request| request.url.as_str()).collect();
        assert_eq!(urls, ["http://a.example/items", "ws://a.example:80/socket"]);
    }
}
