//! A WebSocket after its handshake: two pumps, one for each direction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use colobus_har::ExchangeId;
use tokio::io::split;
use tokio::time::timeout;

use super::connection_guard::ConnectionGuard;
use super::context::Context;
use super::pump::{Pump, PumpError};
use super::split::frames::Frames;
use super::tap::{Listener, MessageTap, Tap};
use super::view::Direction;
use super::wire::{LINGER, Wire};

/// Carries the socket until both ends are done, or one is and the other does not follow in time.
pub(super) async fn run(
    context: &Context,
    client: &mut Wire,
    server: &mut Wire,
    url: &str,
    tap: Option<(Arc<dyn Tap>, ExchangeId)>,
) {
    let listener = |direction| {
        let (tap, exchange) = tap.as_ref()?;
        Some(Box::new(MessageTap::of_socket(tap, *exchange, direction)) as Box<dyn Listener>)
    };
    let connection_guard = ConnectionGuard::socket(&context.proxy_state, url);
    let (from_client, to_client) = split(&mut client.stream);
    let (from_server, to_server) = split(&mut server.stream);
    let (up, down) = (connection_guard.queue(Direction::ToServer), connection_guard.queue(Direction::ToClient));
    let limits = &context.limits;
    let (client_broke, server_broke, document) = (AtomicBool::new(false), AtomicBool::new(false), context.breakable());
    let mut up = Pump::new(from_client, to_server, &mut client.inbox, Frames::default(), up, limits)
        .heard_by(listener(Direction::ToServer))
        .of_socket(&client_broke);
    let mut down = Pump::new(from_server, to_client, &mut server.inbox, Frames::default(), down, limits)
        .heard_by(listener(Direction::ToClient))
        .of_socket(&server_broke);
    let (mut up, mut down) = (std::pin::pin!(up.run()), std::pin::pin!(down.run()));
    let first = tokio::select! {
        ended = &mut up => End::of(Direction::ToServer, ended),
        ended = &mut down => End::of(Direction::ToClient, ended),
    };
    if let Some(document) = document.filter(|_| client_broke.load(Ordering::Relaxed)) {
        context.proxy_state.broke(document);
    }
    // Who closes orderly gives the other side time to follow; after nonsense there is nothing to wait for.
    let second = match first {
        End::Orderly(Direction::ToServer) => timeout(LINGER, down).await,
        End::Orderly(Direction::ToClient) => timeout(LINGER, up).await,
        End::Failed(error) => Ok(Err(error)),
    };
    if let Ok(Err(error)) = second {
        let what = error.to_string();
        context.proxy_state.record(|state| state.problem(url, what));
    }
}

enum End {
    Orderly(Direction),
    Failed(PumpError),
}

impl End {
    fn of(direction: Direction, ended: Result<(), PumpError>) -> End {
        match ended {
            Ok(()) => End::Orderly(direction),
            Err(error) => End::Failed(error),
        }
    }
}
