//! [`Door`]: TLS between a browser on another machine and its proxy, whatever passes inside. The browser is told which key to expect.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::super::authority::Host;
use super::super::wire::Wire;
use super::{RunAuthority, TlsError};

pub(crate) struct Door {
    acceptor: TlsAcceptor,
    limit: Duration,
}

impl Door {
    /// For a proxy at this address.
    pub fn new(run: &RunAuthority, ip: IpAddr, limit: Duration) -> Result<Door, TlsError> {
        Ok(Door { acceptor: TlsAcceptor::from(run.server_for(&Host::Ip(ip))?), limit })
    }

    pub async fn open(&self, stream: TcpStream) -> io::Result<Wire> {
        let late = || io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long");
        let opened = timeout(self.limit, self.acceptor.accept(stream)).await;
        opened.map_err(|_| late())?.map(Wire::new)
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").finish_non_exhaustive()
    }
}
