//! Traffic as plain data: HTTP exchanges, WebSocket messages, server-sent events. Produced by the tap of
//! `colobus-proxy`, consumed by whatever records, learns or answers.
//!
//! A crate of its own, so that what learns from traffic needs neither sockets nor TLS.

mod capture;
mod exchange;
mod message;

pub use capture::Capture;
pub use exchange::{Body, Exchange, ExchangeId, Header, Request, Responder, Response, Timings};
pub use message::{Direction, SocketMessage, SocketMessageKind, StreamEvent};
