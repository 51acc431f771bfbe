//! [`Proxy`]: the proxy between one client and the application. It forwards to the application's hosts only, counts what
//! moves so that settling can be observed, and has four seams: the *gate* holds messages and releases them one by one, a
//! [`Tap`] sees all traffic, a [`Rewriter`] changes bodies, an [`Answerer`] replies in the server's place. Made by
//! `colobus-driver` for every client; the last three are given in [`ProxyOptions`].
//!
//! A browser context uses it with `proxyServer` set to [`Proxy::address`] and the bypass list `<-loopback>`. The layers,
//! from the outside in: `listen` takes connections (of the owner's processes, which `process` knows), a `session` serves one
//! of them, an `exchange` is one HTTP request and response, a `socket` one WebSocket; a `pump` moves one direction of either,
//! a `split`ter tells it where messages end, a `queue` is its queue at the gate, and the `proxy_state` holds what all of them
//! share. `tls` takes the encryption off when the run has an authority for it; the layers further in see plain bytes.

mod allow;
mod answer;
mod authority;
mod connection_guard;
mod content_encoding;
mod context;
mod dial;
mod error;
mod exchange;
#[cfg(test)]
mod fuzzed;
mod gate;
mod http;
mod listen;
mod options;
mod ping;
mod preview;
mod process;
mod proxy_state;
mod pump;
mod queue;
mod rewrite;
mod secret;
mod session;
mod socket;
mod split;
mod tap;
mod tls;
mod tunnel;
mod view;
mod wire;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tracing::{Instrument, debug};

pub use allow::AllowList;
pub use answer::{Answer, Answerer};
pub use authority::{Authority, Host};
pub use error::{ProxyError, ReleaseError};
pub use options::{Limits, ProxyOptions};
pub use process::Tree as ProcessTree;
pub use rewrite::Rewriter;
pub use secret::Secret;
pub use session::HELLO;
pub use tap::{Collector, Tap};
pub use tls::{RunAuthority, TlsError};
pub use view::{
    ConnectionId, ConnectionProblem, Counts, Direction, Flow, HeldMessage, MessageId, MessageKind, Moment,
    NotRewritten, Passage, PingOutcome, Refusal, RequestInfo, SocketInfo, Traffic,
};

use context::Context;
use dial::Dialer;
use proxy_state::ProxyState;
use tls::{Door, Opener};

/// The proxy of one client. Dropping it closes all of the client's connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    context: Arc<Context>,
    accepting: AbortHandle,
}

impl Proxy {
    /// Listens on a free port and serves from the current tokio runtime.
    pub async fn start(options: ProxyOptions) -> Result<Proxy, ProxyError> {
        let ip = options.listen;
        if !ip.is_loopback() && options.secret.is_none() {
            return Err(ProxyError::Unprotected { ip });
        }
        let listening = TcpListener::bind((ip, 0)).await;
        let bound = listening.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = bound.map_err(|source| ProxyError::Listen { ip, source })?;
        let limit = options.connect_timeout;
        let opener = options.tls.map(|run| Opener::new(run, limit));
        let context = Arc::new(Context {
            proxy_state: ProxyState::new(),
            dialer: Dialer { allow: options.allow, timeout: options.connect_timeout, own: address },
            owner: options.owner,
            door: options.listen_tls.map(|run| Door::new(&run, ip, limit)).transpose()?,
            secret: options.secret,
            limits: options.limits,
            tap: options.tap,
            rewriter: options.rewriter,
            answerer: options.answerer,
            response_timeout: options.response_timeout,
            opener: opener.transpose()?,
            cuts: watch::Sender::new(0),
            may_talk: watch::Sender::new(true),
        });
        let accepting = tokio::spawn(listen::accept(listener, context.clone()).in_current_span()).abort_handle();
        Ok(Proxy { address, context, accepting })
    }

    /// What the browser context gets as its proxy server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn counts(&self) -> Counts {
        self.proxy_state().read(|state| state.counts)
    }

    /// Open WebSockets, in the order in which they were opened.
    pub fn sockets(&self) -> Vec<SocketInfo> {
        self.proxy_state().read(|state| state.sockets())
    }

    /// HTTP requests without a finished response, in the order in which they arrived.
    pub fn in_flight(&self) -> Vec<RequestInfo> {
        self.proxy_state().read(|state| state.in_flight())
    }

    /// What has passed since it was last asked for, in the order of time. Of more than some thousands the oldest are gone.
    pub fn take_moments(&self) -> Vec<Moment> {
        self.proxy_state().quietly(|state| state.moments.drain(..).collect())
    }

    /// Hosts that were asked for and are not allowed, for a hint in reports.
    pub fn refused(&self) -> Vec<Refusal> {
        let refusal = |(authority, times): (&String, &u64)| Refusal { authority: authority.clone(), times: *times };
        self.proxy_state().read(|state| state.refused.iter().map(refusal).collect())
    }

    /// The first connections that had to be ended because one side did not speak its protocol or could not be reached.
    pub fn problems(&self) -> Vec<ConnectionProblem> {
        self.proxy_state().read(|state| state.problems.clone())
    }

    /// The first bodies that the rewriter wanted and could not have, and requests that the answerer could not have.
    pub fn not_rewritten(&self) -> Vec<NotRewritten> {
        self.proxy_state().read(|state| state.not_rewritten.clone())
    }

    /// Why connections of other processes are not refused, although the proxy has an owner.
    pub fn owner_unknown(&self) -> Option<String> {
        self.proxy_state().read(|state| state.owner_unknown.clone())
    }

    /// Waits until [`Counts::revision`] is larger than `since`, and returns it. Never polls.
    pub async fn changed(&self, since: u64) -> u64 {
        self.proxy_state().changed(since).await
    }

    /// How many requests that read this address have ended since [`Proxy::forget_ended`].
    pub fn ended(&self, url: &str) -> u64 {
        self.proxy_state().read(|state| state.ended(url))
    }

    /// The client has got all answers: those of addresses to which nothing is under way are not counted any more.
    pub fn forget_ended(&self) {
        self.proxy_state().quietly(|state| state.forget_ended());
    }

    /// Whether the client is offline: nothing that it sends arrives.
    pub fn is_offline(&self) -> bool {
        self.proxy_state().read(|state| state.offline)
    }

    /// Takes the client offline: open connections end without a farewell of their protocol, held messages are lost, new
    /// connections are closed at once until [`restore`](Proxy::restore). What had been forwarded before still arrives.
    /// On return nothing is forwarded any more.
    pub async fn cut(&self) {
        self.proxy_state().adjust(|state| state.offline = true);
        debug!(target: "gate", "takes the client offline");
        self.context.cuts.send_modify(|cuts| *cuts += 1);
        self.proxy_state().until(|state| state.open_wires == 0).await;
    }

    /// Ends [`cut`](Proxy::cut): new connections are served again.
    pub fn restore(&self) {
        self.proxy_state().adjust(|state| state.offline = false);
        debug!(target: "gate", "serves the client again");
    }

    /// The client leaves its document: whatever becomes of the connections that are open is no [break](Counts::broken).
    pub fn leave_document(&self) {
        self.proxy_state().quietly(|state| state.document += 1);
    }

    /// While it may not talk, a page is loaded with all that belongs to it, but what it asks for by itself waits: fetched
    /// data, streams of events, WebSockets.
    pub fn let_talk(&self, may: bool) {
        self.context.may_talk.send_replace(may);
    }

    fn proxy_state(&self) -> &Arc<ProxyState> {
        &self.context.proxy_state
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
