//! [`Dialer`]: connections to the application, and to nothing else.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpStream;

use super::allow::AllowList;
use super::authority::{Authority, Host};

#[derive(Debug)]
pub(super) struct Dialer {
    pub allow: AllowList,
    pub timeout: Duration,
    /// Where the proxy itself listens: a request for that would run in circles.
    pub own: SocketAddr,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum DialError {
    #[error(
        "{0} is not one of the application's hosts; if it is, add `{0}` to the hosts that the configuration allows"
    )]
    NotAllowed(Authority),
    #[error("{0} is the proxy itself")]
    Circular(Authority),
    #[error("the name of {0} does not resolve: {1}")]
    Unresolved(Authority, io::Error),
    #[error("no connection to {0}: {1}; is the application running?")]
    Unreachable(Authority, io::Error),
    #[error("{0} did not accept a connection within {1:?}; is the application stuck?")]
    Silent(Authority, Duration),
}

impl DialError {
    pub fn status(&self) -> u16 {
        match self {
            DialError::NotAllowed(_) => 403,
            DialError::Circular(_) => 508,
            DialError::Unresolved(..) | DialError::Unreachable(..) => 502,
            DialError::Silent(..) => 504,
        }
    }
}

impl Dialer {
    /// Whether the client may ask for this at all.
    pub fn check(&self, to: &Authority) -> Result<(), DialError> {
        match self.allow.permits(to) {
            true => Ok(()),
            false => Err(DialError::NotAllowed(to.clone())),
        }
    }

    pub async fn dial(&self, to: &Authority) -> Result<TcpStream, DialError> {
        self.check(to)?;
        match tokio::time::timeout(self.timeout, self.connect(to)).await {
            Ok(connected) => connected,
            Err(_) => Err(DialError::Silent(to.clone(), self.timeout)),
        }
    }

    async fn connect(&self, to: &Authority) -> Result<TcpStream, DialError> {
        let addresses = addresses(to).await.map_err(|error| DialError::Unresolved(to.clone(), error))?;
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in addresses {
            if self.is_own(address) {
                return Err(DialError::Circular(to.clone()));
            }
            match TcpStream::connect(address).await {
                Ok(stream) => {
                    // Costs latency at worst, never correctness.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Err(error) => failure = error,
            }
        }
        Err(DialError::Unreachable(to.clone(), failure))
    }

    fn is_own(&self, address: SocketAddr) -> bool {
        let ip = address.ip().to_canonical();
        address.port() == self.own.port() && (ip == self.own.ip() || ip.is_unspecified())
    }
}

async fn addresses(to: &Authority) -> io::Result<Vec<SocketAddr>> {
    match &to.host {
        Host::Ip(ip) => Ok(vec![SocketAddr::new(*ip, to.port)]),
        // Never asked of a resolver, which might answer with another machine.
        Host::Name(_) if to.host.is_loopback() => {
            let ips: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            Ok(ips.map(|ip| SocketAddr::new(ip, to.port)).to_vec())
        }
        Host::Name(name) => Ok(tokio::net::lookup_host((name.as_str(), to.port)).await?.collect()),
    }
}
