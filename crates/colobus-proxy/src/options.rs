//! [`ProxyOptions`]: all that a proxy has to be told.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use super::allow::AllowList;
use super::answer::Answerer;
use super::process::Tree;
use super::rewrite::Rewriter;
use super::secret::Secret;
use super::tap::Tap;
use super::tls::RunAuthority;

#[derive(Debug, Clone)]
pub struct ProxyOptions {
    pub allow: AllowList,
    /// The browser that the proxy belongs to: connections of other processes are refused. `None` serves every process of
    /// this machine.
    pub owner: Option<Tree>,
    /// An address of this machine. Others than loopback need a secret.
    pub listen: IpAddr,
    /// Encrypts the way from the client to the proxy, with a certificate of this authority.
    pub listen_tls: Option<Arc<RunAuthority>>,
    /// What a client has to show to connect. The browser of a client on another machine knows it.
    pub secret: Option<Secret>,
    pub limits: Limits,
    /// Sees all traffic that is not encrypted, or whose encryption is opened.
    pub tap: Option<Arc<dyn Tap>>,
    /// Changes bodies on their way.
    pub rewriter: Option<Arc<dyn Rewriter>>,
    /// Answers in the server's place.
    pub answerer: Option<Arc<dyn Answerer>>,
    /// Opens TLS with certificates of this authority; without one TLS is carried as it is: its bytes
    /// are counted, its messages neither seen nor held.
    pub tls: Option<Arc<RunAuthority>>,
    /// How long the application may take to accept a connection.
    pub connect_timeout: Duration,
    /// How long the application may take to begin a response; long polling has to fit in.
    pub response_timeout: Duration,
}

/// Bounds of the memory that a client's traffic can take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of one message that the gate keeps; of a larger one the beginning is held, the rest waits with its sender.
    pub held_message: usize,
    /// Bytes that wait in one direction of one connection before its sender is no longer read.
    pub held_queue: usize,
    /// Bytes of a body, encoded and decoded, that a rewriter or an answerer gets. Larger ones pass by them.
    pub rewritten_body: usize,
    /// TCP connections of the client at the same time; browsers stay below 300.
    pub connections: usize,
}

impl Default for ProxyOptions {
    fn default() -> Self {
        ProxyOptions {
            allow: AllowList::nothing(),
            owner: None,
            listen: Ipv4Addr::LOCALHOST.into(),
            listen_tls: None,
            secret: None,
            limits: Limits::default(),
            tap: None,
            rewriter: None,
            answerer: None,
            tls: None,
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(120),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { held_message: 4 << 20, held_queue: 16 << 20, rewritten_body: 32 << 20, connections: 512 }
    }
}
