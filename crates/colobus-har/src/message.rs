//! [`SocketMessage`] and [`StreamEvent`]: what is sent over a connection that an exchange opened. Produced by the tap of a
//! proxy when a message was delivered or lost, consumed by HAR files and learners.

use crate::exchange::{ExchangeId, Moment};

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    ToServer,
    ToClient,
}

impl Direction {
    /// Both ways, for orders that take several: `proxy.hold(Direction::BOTH)`.
    pub const BOTH: [Direction; 2] = [Direction::ToServer, Direction::ToClient];
}

/// One message of a WebSocket, its fragments joined and its mask taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketMessage {
    /// The exchange whose handshake opened the socket.
    pub exchange: ExchangeId,
    pub direction: Direction,
    pub kind: SocketMessageKind,
    pub payload: Vec<u8>,
    /// Bytes of the whole payload; more than `payload` holds if it was cut.
    pub size: u64,
    /// When its first byte reached the proxy.
    pub arrived: Moment,
    /// When it was handed on; `None` if the connection ended first.
    pub delivered: Option<Moment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SocketMessageKind {
    Text,
    Binary,
    /// The payload begins with the code, two bytes, and continues with the reason.
    Close,
}

/// One event of a stream of server-sent events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamEvent {
    /// The exchange whose response is the stream.
    pub exchange: ExchangeId,
    /// The lines of the event as the server sent them, the blank line at the end included.
    pub text: Vec<u8>,
    /// Bytes of the whole event; more than `text` holds if it was cut.
    pub size: u64,
    /// When its first byte reached the proxy.
    pub arrived: Moment,
    /// When it was handed on; `None` if the connection ended first.
    pub delivered: Option<Moment>,
}

impl SocketMessage {
    pub fn is_cut(&self) -> bool {
        self.size > self.payload.len() as u64
    }
}

impl StreamEvent {
    pub fn is_cut(&self) -> bool {
        self.size > self.text.len() as u64
    }
}
