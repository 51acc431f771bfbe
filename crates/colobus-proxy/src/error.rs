//! What can go wrong with the proxy as a whole, and with a single order to its gate.

use std::io;
use std::net::IpAddr;

use super::tls::TlsError;
use super::view::MessageId;

/// The proxy could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    #[error(
        "the proxy of a client could not listen on {ip}: {source}; {}",
        if ip.is_loopback() { "is the limit of open files reached?" } else { "is it an address of this machine?" }
    )]
    Listen { ip: IpAddr, source: io::Error },
    #[error("a proxy that listens on {ip} can be reached from other machines and needs a secret")]
    Unprotected { ip: IpAddr },
    #[error("the system gives no random numbers for the password of a proxy")]
    NoRandomness,
    #[error(
        "`{pattern}` is not a host that can be allowed; write a host without scheme or path, such as `example.org`, \
         `*.example.org`, `10.0.0.7:8080` or `localhost:*`"
    )]
    BadHostPattern { pattern: String },
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// A held message could not be forwarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseError {
    #[error("message {0} is not held: it was never there, was released before, or its connection has closed")]
    NotHeld(MessageId),
    #[error(
        "message {id} is not the first of its queue: {ahead} is ahead of it, and the order within one direction of a \
         connection is first in, first out"
    )]
    NotFirst { id: MessageId, ahead: MessageId },
    #[error("the connection of message {0} closed before the message was forwarded")]
    ConnectionClosed(MessageId),
}
