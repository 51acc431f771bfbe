//! Takes the client's connections, each as a task of its own, so that a bad one harms no other.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tracing::Instrument;

use super::context::Context;
use super::process::Membership;
use super::proxy_state::ProxyState;
use super::session::Session;
use super::wire::Wire;

/// Accepts until it is aborted, which ends all connections with it.
pub(super) async fn accept(listener: TcpListener, context: Arc<Context>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connections.spawn(carry(stream, peer, context.clone()).in_current_span());
                }
                // The system is out of descriptors or memory: nothing tells when it is better, but failing at full
                // speed would make it worse.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn carry(stream: TcpStream, peer: SocketAddr, context: Arc<Context>) {
    // Subscribed before the check below, so that no cut falls in between.
    let mut cuts = context.cuts.subscribe();
    let Some(open) = OpenWire::enter(&context) else {
        return;
    };
    // Costs latency at worst, never correctness.
    let _ = stream.set_nodelay(true);
    let entered = tokio::select! {
        biased;
        _ = cuts.changed() => return,
        entered = enter(stream, &context) => entered,
    };
    let Some(wire) = entered else { return };
    let mut session = Session::new(context.clone(), wire);
    let serve = async {
        match admission(&context, peer).await {
            Admission::Granted => session.run().await,
            Admission::Denied => session.turn_away().await,
        }
    };
    tokio::select! {
        biased;
        _ = cuts.changed() => {}
        () = serve => {}
    }
    session.say_goodbye().await;
    drop(open);
    session.drain().await;
}

/// The connection, after its handshake if it is encrypted. `None` if that fails: the proxy says so among its problems.
async fn enter(stream: TcpStream, context: &Context) -> Option<Wire> {
    let Some(door) = &context.door else { return Some(Wire::new(stream)) };
    match door.open(stream).await {
        Ok(wire) => Some(wire),
        Err(error) => {
            let what = format!("a client broke off the encrypted way to its proxy: {error}");
            context.proxy_state.adjust(|state| state.problem("", what));
            None
        }
    }
}

enum Admission {
    Granted,
    Denied,
}

/// Only the browser that the proxy belongs to gets in. Found out once for each connection.
async fn admission(context: &Context, peer: SocketAddr) -> Admission {
    let Some(owner) = context.owner.clone() else {
        return Admission::Granted;
    };
    let own = context.dialer.own;
    let membership = tokio::task::spawn_blocking(move || owner.holds(peer, own)).await;
    match membership.unwrap_or_else(|error| Membership::Unknown(error.to_string())) {
        Membership::Member => Admission::Granted,
        Membership::Unknown(why) => {
            context.proxy_state.adjust(|state| drop(state.owner_unknown.replace(why)));
            Admission::Granted
        }
        Membership::Gone => Admission::Denied,
        Membership::Stranger => {
            let what = "a process that is not the browser of this client connected to its proxy and was refused";
            context.proxy_state.adjust(|state| state.problem("", what.to_owned()));
            Admission::Denied
        }
    }
}

/// A connection over which something may still be forwarded.
struct OpenWire {
    proxy_state: Arc<ProxyState>,
}

impl OpenWire {
    /// `None` when the client is offline, or has more connections than any browser.
    fn enter(context: &Context) -> Option<OpenWire> {
        let most = context.limits.connections;
        let entered = context.proxy_state.adjust(|state| {
            let room = !state.offline && state.open_wires < most;
            state.open_wires += usize::from(room);
            room
        });
        entered.then(|| OpenWire { proxy_state: context.proxy_state.clone() })
    }
}

impl Drop for OpenWire {
    fn drop(&mut self) {
        self.proxy_state.adjust(|state| state.open_wires -= 1);
    }
}
