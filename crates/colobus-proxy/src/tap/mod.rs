//! [`Tap`]: sees the whole traffic of a client, decoded. Given to a proxy in [`ProxyOptions`](crate::ProxyOptions); called
//! by the exchanges and pumps as messages are delivered. A proxy without a tap copies nothing.

mod collected;
mod collector;
mod exchange;
mod listener;
mod messages;

use std::fmt;

use colobus_har::{Exchange, SocketMessage, StreamEvent};

pub use collector::Collector;
pub(super) use exchange::ExchangeTap;
pub(super) use listener::Listener;
pub(super) use messages::MessageTap;

/// Receives traffic as plain data. Its methods are called while messages are on their way, so they return quickly.
///
/// An exchange that opens a WebSocket or an event stream is told before its messages; every other one when it is over.
/// Messages are told when they were delivered or lost, bodies as their sender sent them. [`Collector`] keeps all of it.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use colobus_har::{Exchange, SocketMessage, StreamEvent};
/// use colobus_proxy::Tap;
///
/// /// Counts requests that no server answered.
/// #[derive(Debug, Default)]
/// struct Failures(AtomicUsize);
///
/// impl Tap for Failures {
///     fn limit(&self) -> usize {
///         0
///     }
///     fn exchange(&self, exchange: Exchange) {
///         self.0.fetch_add(usize::from(exchange.response.is_none()), Ordering::Relaxed);
///     }
///     fn socket_message(&self, _: SocketMessage) {}
///     fn stream_event(&self, _: StreamEvent) {}
/// }
/// ```
pub trait Tap: fmt::Debug + Send + Sync {
    /// Bytes that are kept of one body or message, decoded. What is larger is cut, and says so.
    fn limit(&self) -> usize;
    fn exchange(&self, exchange: Exchange);
    fn socket_message(&self, message: SocketMessage);
    fn stream_event(&self, event: StreamEvent);
}
