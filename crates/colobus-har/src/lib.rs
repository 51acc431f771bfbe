//! Traffic as plain data, and as HAR files: HTTP exchanges, WebSocket messages, server-sent events. Produced by the tap of
//! `colobus-proxy`, consumed by whatever records, learns or answers.
//!
//! A crate of its own, so that what learns from traffic needs neither sockets nor TLS. It only computes: callers read and
//! write the files.

mod capture;
mod exchange;
mod har;
mod message;
mod redact;

pub use capture::Capture;
pub use exchange::{Body, Exchange, ExchangeId, Header, Request, Responder, Response, Timings};
pub use har::{ClientTraffic, har};
pub use message::{Direction, SocketMessage, SocketMessageKind, StreamEvent};
pub use redact::{REDACTED, Redaction};
