//! State of the proxy as plain data. Copied out of the proxy state at one moment, consumed by settling and reports.

use std::fmt;
use std::time::{Duration, Instant};

pub use colobus_har::Direction;
pub use colobus_model::MessageKind;

/// One WebSocket, or one HTTP exchange (a request, and its response or its stream of events). Unique within a proxy and
/// given in the order of opening. HTTP exchanges have one each, because which of its pooled TCP connections a browser
/// picks for a request is chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// A held message; unique within a proxy, and growing in the order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub u64);

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

/// What has moved since the proxy started. Every number only grows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Grows with every movement: arrivals, deliveries, openings and ends of sockets and exchanges. Orders to the proxy,
    /// and its own pings, are none.
    pub revision: u64,
    pub to_server: Traffic,
    pub to_client: Traffic,
    /// HTTP requests that arrived, WebSocket handshakes among them.
    pub exchanges_started: u64,
    /// HTTP exchanges that are over: the response was delivered, refused, or given up by either end.
    pub exchanges_ended: u64,
    /// Requests and tunnels refused because their host is not allowed.
    pub refused: u64,
    /// Connections of the present document of a client on another machine that something on the way broke: WebSockets, and requests without
    /// an answer, whose connection ended with an error. A page that gives one up closes it.
    pub broken: u64,
}

/// What was forwarded in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Complete WebSocket data messages, and server-sent events.
    pub messages: u64,
    /// Bytes inside TLS tunnels that the proxy does not look into.
    pub opaque_bytes: u64,
}

/// An open WebSocket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketInfo {
    pub id: ConnectionId,
    pub url: String,
    pub to_server: Flow,
    pub to_client: Flow,
}

/// The data messages of one direction of one WebSocket; those that arrived are the sum of both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flow {
    pub forwarded: u64,
    pub held: u64,
}

/// An HTTP exchange that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestInfo {
    pub id: ConnectionId,
    pub method: String,
    pub url: String,
    /// The address that the client asked for first, if redirects led to this one.
    pub asked_for: Option<String>,
    pub age: Duration,
    /// The response is a stream of server-sent events: it is not expected to end.
    pub streams: bool,
    /// The whole request has gone to the server.
    pub sent: bool,
}

/// A message that waits at the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldMessage {
    pub id: MessageId,
    pub connection: ConnectionId,
    pub url: String,
    pub direction: Direction,
    /// How many messages of this direction of this connection came before it.
    pub position: u64,
    pub kind: MessageKind,
    /// Bytes held, framing included.
    pub size: usize,
    /// False when the message is larger than the gate keeps: its beginning is held, the rest waits with its sender.
    pub complete: bool,
    /// The beginning of what it says, escaped, on one line.
    pub preview: String,
}

/// Whether it adds to [`Traffic::messages`]; exchanges are counted by their start and end instead.
pub(super) fn is_data(kind: MessageKind) -> bool {
    matches!(kind, MessageKind::Text | MessageKind::Binary | MessageKind::StreamEvent)
}

/// Something that passed between client and server, and when. Of a held message to the client, its arrival at the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    pub at: Instant,
    pub connection: ConnectionId,
    pub url: String,
    /// Of an exchange; empty for a WebSocket.
    pub method: String,
    pub passage: Passage,
}

/// What passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passage {
    /// A message of a WebSocket went to the server; how it begins.
    Sent { preview: String },
    /// The client closed a WebSocket. Servers tell the other users that this one left.
    Left,
    /// A request went to the server.
    Asked,
    /// The head of a stream, or a whole response, arrived.
    Answered,
    /// An exchange is over, with or without an answer.
    Ended,
    /// A message of a WebSocket, or a server-sent event, arrived; how it begins.
    Heard { preview: String },
}

/// A host that the allow list does not name, and how often something on the page asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub authority: String,
    pub times: u64,
}

/// A connection that the proxy had to end, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionProblem {
    pub url: String,
    pub what: String,
}

/// A body that passed unchanged although the rewriter or the answerer wanted it, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRewritten {
    pub url: String,
    pub direction: Direction,
    pub why: String,
}

/// What came of pinging the servers behind all open WebSockets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PingOutcome {
    /// Servers that answered: all they had sent before has been forwarded or is held.
    pub answered: Vec<ConnectionId>,
    /// Sockets that closed in the meantime.
    pub closed: Vec<ConnectionId>,
    /// Sockets without an answer in time: nothing is known of them.
    pub silent: Vec<ConnectionId>,
}
