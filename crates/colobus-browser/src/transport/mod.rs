//! [`Transport`]: a way to exchange whole protocol messages with a browser. [`Pipe`] leads to a browser that we started,
//! [`WebSocket`] to one that is already running, on this machine or another.

mod encrypted;
mod pipe;
mod websocket;

use tokio::sync::mpsc;

pub use pipe::Pipe;
pub use websocket::{ConnectError, WebSocket};

/// Something that carries protocol messages.
///
/// ```
/// use colobus_browser::transport::{Messages, Transport};
/// use tokio::sync::mpsc;
///
/// /// Answers every message with itself.
/// struct Echo;
///
/// impl Transport for Echo {
///     fn start(self) -> Messages {
///         let (outgoing, incoming) = mpsc::unbounded_channel();
///         Messages { outgoing, incoming }
///     }
/// }
///
/// let mut messages = Echo.start();
/// messages.outgoing.send("{}".to_string()).unwrap();
/// assert_eq!(messages.incoming.try_recv().unwrap(), "{}");
/// ```
pub trait Transport {
    /// Begins to carry messages, on tasks of the current tokio runtime. The tasks end when the browser ends, or when
    /// both channels are dropped.
    fn start(self) -> Messages;
}

/// Whole JSON messages in both directions. `incoming` ends when the browser does.
pub struct Messages {
    pub outgoing: mpsc::UnboundedSender<String>,
    pub incoming: mpsc::UnboundedReceiver<String>,
}
