//! What can go wrong with the proxy as a whole, and with a single order to its gate.

use std::io;
use std::net::IpAddr;

use super::tls::TlsError;
use super::view::MessageId;

/// The proxy could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    #[error("the proxy of a client could not listen on {ip}: {source}; {}", listening_advice(source))]
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

/// Proxies listen on any free port: one that is in use is passed over, and only if all are, there is none.
fn listening_advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "no port is free there: end what uses them, run fewer --workers, or widen net.ipv4.ip_local_port_range"
        }
        io::ErrorKind::AddrNotAvailable => "is it an address of this machine?",
        _ => "is the limit of open files reached?",
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_a_proxy_from_listening_is_told_apart() {
        let told =
            |kind: io::ErrorKind| ProxyError::Listen { ip: [10, 0, 0, 5].into(), source: kind.into() }.to_string();
        for (kind, advice) in [
            (io::ErrorKind::AddrInUse, "no port is free there"),
            (io::ErrorKind::AddrNotAvailable, "is it an address of this machine?"),
            (io::ErrorKind::Other, "limit of open files"),
        ] {
            let said = told(kind);
            assert!(said.contains("could not listen on 10.0.0.5") && said.contains(advice), "{said}");
        }
    }
}
