//! [`Context`]: what all connections of one proxy share.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::answer::Answerer;
use super::dial::Dialer;
use super::options::Limits;
use super::process::Tree;
use super::proxy_state::ProxyState;
use super::rewrite::Rewriter;
use super::secret::Secret;
use super::tap::Tap;
use super::tls::{Door, Opener};

#[derive(Debug)]
pub(super) struct Context {
    pub proxy_state: Arc<ProxyState>,
    pub dialer: Dialer,
    /// The browser that the proxy belongs to.
    pub owner: Option<Tree>,
    /// Encrypts the way from the client.
    pub door: Option<Door>,
    /// What a client has to show to connect.
    pub secret: Option<Secret>,
    pub limits: Limits,
    pub tap: Option<Arc<dyn Tap>>,
    pub rewriter: Option<Arc<dyn Rewriter>>,
    pub answerer: Option<Arc<dyn Answerer>>,
    pub response_timeout: Duration,
    /// Opens TLS, if the run has an authority for it.
    pub opener: Option<Opener>,
    /// Grows each time all connections are cut.
    pub cuts: watch::Sender<u64>,
    /// Whether the page may talk to the application, beyond being loaded.
    pub may_talk: watch::Sender<bool>,
}

impl Context {
    /// The document to which a connection belongs that begins now, if something between the client and this machine may break it.
    pub fn breakable(&self) -> Option<u64> {
        self.secret.as_ref().map(|_| self.proxy_state.read(|state| state.document))
    }
}
