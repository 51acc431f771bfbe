//! [`ProxyState`]: everything the proxy knows at one moment, behind one lock, and a pulse that tells of every change, so that
//! waiting never means polling.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use colobus_model::UrlParts;
use tokio::sync::watch;
use tracing::debug;

use super::queue::{MessageQueue, QueuedMessage};
use super::view::{
    ConnectionId, ConnectionProblem, Counts, Direction, Flow, HeldMessage, MessageId, MessageKind, Moment,
    NotRewritten, Passage, RequestInfo, SocketInfo, Traffic, is_data,
};

/// Enough to explain a run, not enough to fill the memory when a page retries for hours.
const MOST_PROBLEMS: usize = 64;
const MOST_REFUSED_HOSTS: usize = 256;
/// More than pass between two questions of settling.
const MOST_MOMENTS: usize = 4096;
/// More than are followed at the same time. A client need not follow them.
const MOST_REDIRECTS: usize = 64;

#[derive(Debug)]
pub(super) struct ProxyState {
    state: Mutex<State>,
    /// Carries the revision; sent with every change, also with those that do not raise it.
    pulse: watch::Sender<u64>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub counts: Counts,
    pub connections: BTreeMap<ConnectionId, Connection>,
    pub refused: BTreeMap<String, u64>,
    pub problems: Vec<ConnectionProblem>,
    pub not_rewritten: Vec<NotRewritten>,
    pub moments: VecDeque<Moment>,
    /// Why the owner of connections cannot be told.
    pub owner_unknown: Option<String>,
    pub offline: bool,
    /// Which document of the client this is: connections of earlier ones end in any way.
    pub document: u64,
    /// TCP connections of the client over which something may still be forwarded.
    pub open_wires: usize,
    held_directions: [bool; 2],
    /// Exchanges whose answers wait even while the gate is open.
    pub kept_answers: BTreeSet<ConnectionId>,
    /// Where answers have sent the client, and the address that it had asked for: not yet followed.
    redirects: VecDeque<(String, String)>,
    /// How many requests that read ended, by their addresses, since [`State::forget_ended`].
    ended: BTreeMap<String, u64>,
    last_connection: u64,
    last_message: u64,
    last_ping: u64,
}

#[derive(Debug)]
pub(super) struct Connection {
    url: String,
    /// The address that the client asked for first, if redirects led to this one.
    asked_for: Option<String>,
    role: Role,
    queues: [MessageQueue; 2],
}

#[derive(Debug)]
pub(super) enum Role {
    Exchange { method: String, since: Instant, streams: bool, sent: bool },
    Socket { answered_ping: u64 },
}

impl Connection {
    pub fn queue(&self, direction: Direction) -> &MessageQueue {
        &self.queues[direction as usize]
    }

    pub fn queue_mut(&mut self, direction: Direction) -> &mut MessageQueue {
        &mut self.queues[direction as usize]
    }

    pub fn is_exchange(&self) -> bool {
        matches!(self.role, Role::Exchange { .. })
    }

    pub fn turns_into_stream(&mut self) {
        if let Role::Exchange { streams, .. } = &mut self.role {
            *streams = true;
        }
    }

    /// A pong answers all pings before it: servers may skip to the newest.
    pub fn answer(&mut self, ping: u64) {
        if let Role::Socket { answered_ping } = &mut self.role {
            *answered_ping = ping.max(*answered_ping);
        }
    }

    pub fn has_answered(&self, ping: u64) -> bool {
        matches!(self.role, Role::Socket { answered_ping } if answered_ping >= ping)
    }

    fn flow(&self, direction: Direction) -> Flow {
        let queue = self.queue(direction);
        Flow { forwarded: queue.forwarded, held: queue.held_data() }
    }

    fn held(&self, id: ConnectionId, direction: Direction, message: &QueuedMessage) -> HeldMessage {
        HeldMessage {
            id: message.id,
            connection: id,
            url: self.url.clone(),
            direction,
            position: message.position,
            kind: message.kind,
            size: message.bytes.len(),
            complete: message.complete,
            preview: message.preview.clone(),
        }
    }
}

impl State {
    /// Whether messages of this connection have to wait.
    pub fn is_held(&self, id: ConnectionId, direction: Direction) -> bool {
        self.held_directions[direction as usize] || self.is_kept(id, direction)
    }

    /// Whether they wait even while the gate is open.
    pub fn is_kept(&self, id: ConnectionId, direction: Direction) -> bool {
        direction == Direction::ToClient && self.kept_answers.contains(&id)
    }

    pub fn set_held(&mut self, direction: Direction, held: bool) {
        self.held_directions[direction as usize] = held;
    }

    pub fn traffic(&mut self, direction: Direction) -> &mut Traffic {
        match direction {
            Direction::ToServer => &mut self.counts.to_server,
            Direction::ToClient => &mut self.counts.to_client,
        }
    }

    pub fn problem(&mut self, url: &str, what: String) {
        debug!(target: "gate", what, "problem");
        if self.problems.len() < MOST_PROBLEMS {
            let url = url.to_owned();
            self.problems.push(ConnectionProblem { url, what });
        }
    }

    pub fn not_rewritten(&mut self, url: &str, direction: Direction, why: &str) {
        if self.not_rewritten.len() < MOST_PROBLEMS {
            self.not_rewritten.push(NotRewritten { url: url.to_owned(), direction, why: why.to_owned() });
        }
    }

    pub fn refuse(&mut self, authority: String) {
        self.counts.refused += 1;
        debug!(target: "gate", authority, "refused: not among the hosts");
        let room = self.refused.len() < MOST_REFUSED_HOSTS;
        if let Some(times) = self.refused.get_mut(&authority) {
            *times += 1;
        } else if room {
            self.refused.insert(authority, 1);
        }
    }

    pub fn open(&mut self, url: &str, role: Role) -> ConnectionId {
        self.last_connection += 1;
        let id = ConnectionId(self.last_connection);
        let place = UrlParts::without_default_port(url);
        let followed = self.redirects.iter().position(|(next, _)| *next == place);
        let asked_for = followed.and_then(|place| self.redirects.remove(place)).map(|(_, first)| first);
        let connection = Connection { url: url.to_owned(), asked_for, role, queues: Default::default() };
        if connection.is_exchange() {
            self.counts.exchanges_started += 1;
        }
        self.connections.insert(id, connection);
        id
    }

    /// An answer sends the client on to this address.
    pub fn redirect(&mut self, id: ConnectionId, next: String) {
        let Some(Connection { url, asked_for, .. }) = self.connections.get(&id) else { return };
        let first = asked_for.as_ref().unwrap_or(url).clone();
        if self.redirects.len() == MOST_REDIRECTS {
            self.redirects.pop_front();
        }
        self.redirects.push_back((UrlParts::without_default_port(&next), first));
    }

    /// Keeps what passed on a connection.
    fn note(&mut self, id: ConnectionId, passage: Passage) {
        let Some(connection) = self.connections.get(&id) else { return };
        if self.moments.len() == MOST_MOMENTS {
            self.moments.pop_front();
        }
        let method = match &connection.role {
            Role::Exchange { method, .. } => method.clone(),
            Role::Socket { .. } => String::new(),
        };
        let url = connection.url.clone();
        self.moments.push_back(Moment { at: Instant::now(), connection: id, url, method, passage });
    }

    /// A whole request was written to the server.
    pub fn request_is_sent(&mut self, id: ConnectionId) {
        if let Some(Connection { role: Role::Exchange { sent, .. }, .. }) = self.connections.get_mut(&id) {
            *sent = true;
        }
    }

    /// A message of this kind goes to the server.
    pub fn note_departure(&mut self, id: ConnectionId, kind: MessageKind, preview: String) {
        match kind {
            MessageKind::Request => self.note(id, Passage::Asked),
            MessageKind::Close => self.note(id, Passage::Left),
            kind if is_data(kind) => self.note(id, Passage::Sent { preview }),
            _ => {}
        }
    }

    /// A message of this kind arrived from the server.
    pub fn note_arrival(&mut self, id: ConnectionId, kind: MessageKind, preview: String) {
        self.note(id, if is_data(kind) { Passage::Heard { preview } } else { Passage::Answered });
    }

    pub fn close(&mut self, id: ConnectionId) {
        if self.connections.get(&id).is_some_and(Connection::is_exchange) {
            self.note(id, Passage::Ended);
        }
        self.kept_answers.remove(&id);
        let Some(Connection { url, role: Role::Exchange { method, .. }, .. }) = self.connections.remove(&id) else {
            return;
        };
        self.counts.exchanges_ended += 1;
        if method == "GET" {
            *self.ended.entry(UrlParts::without_default_port(&url)).or_default() += 1;
        }
    }

    /// How many requests that read this address ended.
    pub fn ended(&self, url: &str) -> u64 {
        self.ended.get(&UrlParts::without_default_port(url)).copied().unwrap_or(0)
    }

    /// Of addresses to which nothing is under way, it need not be known any more how many ended.
    pub fn forget_ended(&mut self) {
        let open: BTreeSet<String> =
            self.connections.values().map(|open| UrlParts::without_default_port(&open.url)).collect();
        self.ended.retain(|url, _| open.contains(url));
    }

    pub fn next_message(&mut self) -> MessageId {
        self.last_message += 1;
        MessageId(self.last_message)
    }

    pub fn next_ping(&mut self) -> u64 {
        self.last_ping += 1;
        self.last_ping
    }

    /// All messages that wait for their release, in the order of arrival.
    pub fn held(&self) -> Vec<HeldMessage> {
        let mut held: Vec<HeldMessage> = Vec::new();
        for (id, connection) in &self.connections {
            for direction in Direction::BOTH {
                let waiting = connection.queue(direction).waiting();
                held.extend(waiting.map(|message| connection.held(*id, direction, message)));
            }
        }
        held.sort_by_key(|message| message.id);
        held
    }

    pub fn sockets(&self) -> Vec<SocketInfo> {
        let sockets = self.connections.iter().filter(|(_, c)| !c.is_exchange());
        let info = |(id, connection): (&ConnectionId, &Connection)| SocketInfo {
            id: *id,
            url: connection.url.clone(),
            to_server: connection.flow(Direction::ToServer),
            to_client: connection.flow(Direction::ToClient),
        };
        sockets.map(info).collect()
    }

    pub fn in_flight(&self) -> Vec<RequestInfo> {
        let info = |(id, connection): (&ConnectionId, &Connection)| match &connection.role {
            Role::Exchange { method, since, streams, sent } => Some(RequestInfo {
                id: *id,
                method: method.clone(),
                url: connection.url.clone(),
                asked_for: connection.asked_for.clone(),
                age: since.elapsed(),
                streams: *streams,
                sent: *sent,
            }),
            Role::Socket { .. } => None,
        };
        self.connections.iter().filter_map(info).collect()
    }
}

impl ProxyState {
    pub fn new() -> Arc<ProxyState> {
        let (state, pulse) = (Mutex::default(), watch::Sender::new(0));
        Arc::new(ProxyState { state, pulse })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere left at worst a count behind; the other connections go on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock())
    }

    /// A change that its new owner records later: it wakes no waiting task.
    pub fn quietly<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.lock())
    }

    /// Changes something that is no movement of the application: an order to the gate, an answer to the proxy's own ping.
    /// It does not raise the revision, because settling uses these orders and waits for the revision to stay.
    pub fn adjust<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        self.pulse.send_replace(state.counts.revision);
        result
    }

    /// A connection that belongs to this document ended as connections do that a network breaks.
    pub fn broke(&self, document: u64) {
        self.adjust(|state| state.counts.broken += u64::from(state.document == document));
    }

    /// Enters a movement.
    pub fn record<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        self.adjust(|state| {
            state.counts.revision += 1;
            change(state)
        })
    }

    /// Waits for a revision beyond `since`; returns it.
    pub async fn changed(&self, since: u64) -> u64 {
        let mut pulse = self.pulse.subscribe();
        match pulse.wait_for(|revision| *revision > since).await {
            Ok(revision) => *revision,
            // Only when the sender is gone, and `self` owns it.
            Err(_) => since,
        }
    }

    /// Waits until the state meets a condition.
    pub async fn until(&self, mut met: impl FnMut(&State) -> bool) {
        let mut pulse = self.pulse.subscribe();
        // Changes between the look and the wait are not missed: the receiver has not seen them.
        while !self.read(&mut met) && pulse.changed().await.is_ok() {}
    }
}
