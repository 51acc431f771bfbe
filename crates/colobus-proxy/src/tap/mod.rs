//! [`Tap`]: sees the whole traffic of a client, decoded. Given to a proxy in [`ProxyOptions`](crate::ProxyOptions); called
//! by the exchanges and pumps as messages are delivered. A proxy without a tap copies nothing.

mod collected;
mod exchange;
mod listener;
mod messages;

use std::fmt;
use std::sync::Mutex;

use colobus_har::{Exchange, SocketMessage, StreamEvent};

pub(super) use exchange::ExchangeTap;
pub(super) use listener::Listener;
pub(super) use messages::MessageTap;

/// Receives traffic as plain data. Its methods are called while messages are on their way, so they return quickly.
///
/// An exchange that opens a WebSocket or an event stream is told before its messages; every other one when it is over.
/// Messages are told when they were delivered or lost, bodies as their sender sent them.
pub trait Tap: fmt::Debug + Send + Sync {
    /// Bytes that are kept of one body or message, decoded. What is larger is cut, and says so.
    fn limit(&self) -> usize;
    fn exchange(&self, exchange: Exchange);
    fn socket_message(&self, message: SocketMessage);
    fn stream_event(&self, event: StreamEvent);
}

/// Something that the tap saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    Exchange(Exchange),
    SocketMessage(SocketMessage),
    StreamEvent(StreamEvent),
}

/// A tap that keeps what it sees until somebody takes it.
#[derive(Debug)]
pub struct Collector {
    limit: usize,
    seen: Mutex<Vec<Seen>>,
}

impl Collector {
    /// Keeps up to `limit` bytes of each body and message.
    pub fn new(limit: usize) -> Collector {
        Collector { limit, seen: Mutex::default() }
    }

    /// All that was seen since the last call, in that order.
    pub fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Seen>> {
        // A panic elsewhere leaves the list whole.
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Tap for Collector {
    fn limit(&self) -> usize {
        self.limit
    }

    fn exchange(&self, exchange: Exchange) {
        self.lock().push(Seen::Exchange(exchange));
    }

    fn socket_message(&self, message: SocketMessage) {
        self.lock().push(Seen::SocketMessage(message));
    }

    fn stream_event(&self, event: StreamEvent) {
        self.lock().push(Seen::StreamEvent(event));
    }
}
