//! [`Opener`]: turns the two ends of a TLS tunnel into two ends of plain bytes.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::time::timeout;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::super::authority::{Authority, Host};
use super::super::wire::Wire;
use super::prefixed_stream::PrefixedStream;
use super::verify::Clients;
use super::{RunAuthority, TlsError};

#[derive(Debug)]
pub(crate) struct Opener {
    run: Arc<RunAuthority>,
    clients: Clients,
    limit: Duration,
}

/// A tunnel that stays closed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unopened {
    #[error("no certificate for {0} could be made: {1}")]
    NoCertificate(Authority, TlsError),
    #[error(
        "the client broke off the TLS handshake for {0}: {1}; was the browser started with the hash of this run's \
         certificate authority?"
    )]
    Client(Authority, io::Error),
    #[error("the TLS handshake with {0} failed: {1}")]
    Server(Authority, io::Error),
    #[error("the system has no certificate authorities to verify {0} with; install the package ca-certificates")]
    NoRoots(Authority),
    #[error("the TLS handshake with {0} took longer than {1:?}")]
    TooSlow(Authority, Duration),
}

impl Opener {
    pub fn new(run: Arc<RunAuthority>, limit: Duration) -> Result<Opener, TlsError> {
        let clients = Clients::new()?;
        Ok(Opener { run, clients, limit })
    }

    /// Is the application towards the browser. The certificate is for the host that the tunnel leads to, whatever name
    /// the browser asks for inside.
    pub async fn client(&self, client: Wire, authority: &Authority) -> Result<Wire, Unopened> {
        let config =
            self.run.server_for(&authority.host).map_err(|error| Unopened::NoCertificate(authority.clone(), error))?;
        let handshake = TlsAcceptor::from(config).accept(PrefixedStream::from(client));
        match timeout(self.limit, handshake).await {
            Ok(Ok(stream)) => Ok(Wire::new(stream)),
            Ok(Err(error)) => Err(Unopened::Client(authority.clone(), error)),
            Err(_) => Err(Unopened::TooSlow(authority.clone(), self.limit)),
        }
    }

    /// Is a browser towards the application.
    pub async fn server(&self, server: Wire, authority: &Authority) -> Result<Wire, Unopened> {
        let config = self.clients.for_host(&authority.host);
        let config = config.ok_or_else(|| Unopened::NoRoots(authority.clone()))?;
        let failed = |error| Unopened::Server(authority.clone(), error);
        let name = server_name(&authority.host).map_err(failed)?;
        let handshake = TlsConnector::from(config).connect(name, PrefixedStream::from(server));
        match timeout(self.limit, handshake).await {
            Ok(connected) => connected.map(Wire::new).map_err(failed),
            Err(_) => Err(Unopened::TooSlow(authority.clone(), self.limit)),
        }
    }
}

fn server_name(host: &Host) -> io::Result<ServerName<'static>> {
    match host {
        Host::Ip(ip) => Ok(ServerName::from(*ip as IpAddr)),
        Host::Name(name) => {
            ServerName::try_from(name.clone()).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio_rustls::TlsAcceptor;

    use super::*;

    /// A handshake with a server that vouches for itself.
    async fn greet(host: &str) -> Result<Wire, Unopened> {
        let itself = RunAuthority::new().unwrap();
        let authority = Authority::parse(host, Some(443)).unwrap();
        let config = itself.server_for(&authority.host).unwrap();
        let run = Arc::new(RunAuthority::new().unwrap());
        let opener = Opener::new(run, Duration::from_secs(30)).unwrap();
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (_, greeted) =
            tokio::join!(TlsAcceptor::from(config).accept(far), opener.server(Wire::new(near), &authority));
        greeted
    }

    #[tokio::test]
    async fn who_vouches_for_itself_is_believed_on_this_machine_only() {
        for host in ["localhost", "team.localhost", "127.0.0.1", "[::1]"] {
            assert!(greet(host).await.is_ok(), "{host}");
        }
        for host in ["example.org", "10.0.0.1"] {
            let refused = greet(host).await.err();
            assert!(matches!(refused, Some(Unopened::Server(..) | Unopened::NoRoots(_))), "{host}: {refused:?}");
        }
    }
}
