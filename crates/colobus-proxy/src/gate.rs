//! The gate and the barrier: orders to a [`Proxy`] that hold and release messages, and the ping that tells when all the
//! servers had to say has arrived.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::debug;

use super::Proxy;
use super::error::ReleaseError;
use super::ping;
use super::proxy_state::State;
use super::queue::Refused;
use super::view::{ConnectionId, Direction, HeldMessage, MessageId, PingOutcome};

impl Proxy {
    /// From now on messages of these directions queue up, first in, first out for each direction of each connection. A
    /// message that has begun to pass goes on. Pings and pongs of the application pass; TLS that is not opened does, too.
    pub fn hold(&self, directions: impl IntoIterator<Item = Direction>) {
        self.proxy_state().adjust(|state| {
            for direction in directions {
                state.set_held(direction, true);
                debug!(target: "gate", ?direction, "holds from now on");
            }
        });
    }

    /// All messages that wait, in the order of arrival.
    pub fn held(&self) -> Vec<HeldMessage> {
        self.proxy_state().read(State::held)
    }

    /// Forwards one held message, which must be the first of its queue; returns when it is written.
    pub async fn release(&self, id: MessageId) -> Result<(), ReleaseError> {
        let released = self.proxy_state().adjust(|state| state.release(id));
        debug!(target: "gate", number = id.0, refused = ?released.as_ref().err(), "released");
        let went = released?;
        went.await.map_err(|_| ReleaseError::ConnectionClosed(id))
    }

    /// Forwards everything that waits in these directions in the order of arrival, and lets messages flow freely again.
    pub async fn open(&self, directions: impl IntoIterator<Item = Direction>) {
        let directions: Vec<Direction> = directions.into_iter().collect();
        for message in self.held() {
            let is_kept = self.proxy_state().read(|state| state.is_kept(message.connection, message.direction));
            if directions.contains(&message.direction) && !is_kept {
                // A connection that closed meanwhile took its messages along.
                let _ = self.release(message.id).await;
            }
        }
        // What arrived in the meantime goes, and with it the gate opens: nothing can slip in between.
        let rest = self.proxy_state().adjust(|state| state.open_gate(&directions));
        debug!(target: "gate", ?directions, with = rest.len(), "opens");
        for went in rest {
            let _ = went.await;
        }
    }

    /// From now on the answer of this exchange waits, even while the gate is open, for [`Proxy::let_kept_answers_go`].
    pub fn keep_answer(&self, exchange: ConnectionId) {
        self.proxy_state().adjust(|state| state.kept_answers.insert(exchange));
    }

    /// The exchanges whose answers wait so.
    pub fn kept_answers(&self) -> BTreeSet<ConnectionId> {
        self.proxy_state().read(|state| state.kept_answers.clone())
    }

    /// Forwards the answers that were kept; those that are still to come are answers like any other.
    pub async fn let_kept_answers_go(&self) {
        let went = self.proxy_state().adjust(|state| {
            let kept = std::mem::take(&mut state.kept_answers);
            let connections = state.connections.iter_mut().filter(|(id, _)| kept.contains(id));
            connections
                .flat_map(|(_, connection)| connection.queue_mut(Direction::ToClient).release_all())
                .collect::<Vec<_>>()
        });
        for went in went {
            // A connection that closed meanwhile took its answer along.
            let _ = went.await;
        }
    }

    /// Pings the server of every open WebSocket and waits for the pongs. A server answers in order: when its pong is
    /// here, whatever it had sent before has been forwarded or is held. The page sees neither ping nor pong.
    pub async fn ping_servers(&self, limit: Duration) -> PingOutcome {
        let (number, mut open) = self.proxy_state().quietly(State::ping_all);
        let mut outcome = PingOutcome::default();
        let all_answered = self.proxy_state().until(|state| {
            open.retain(|id| match state.connections.get(id) {
                None => {
                    outcome.closed.push(*id);
                    false
                }
                Some(connection) if connection.has_answered(number) => {
                    outcome.answered.push(*id);
                    false
                }
                Some(_) => true,
            });
            open.is_empty()
        });
        // Sockets without an answer in time are still in `open`.
        let _ = timeout(limit, all_answered).await;
        outcome.silent = open;
        debug!(target: "gate", answered = outcome.answered.len(), silent = outcome.silent.len(), "pinged the servers");
        outcome
    }
}

impl State {
    fn release(&mut self, id: MessageId) -> Result<oneshot::Receiver<()>, ReleaseError> {
        for connection in self.connections.values_mut() {
            for direction in Direction::BOTH {
                match connection.queue_mut(direction).release(id) {
                    Ok(went) => return Ok(went),
                    Err(Refused::Behind(ahead)) => {
                        return Err(ReleaseError::NotFirst { id, ahead });
                    }
                    Err(Refused::Absent) => {}
                }
            }
        }
        Err(ReleaseError::NotHeld(id))
    }

    fn open_gate(&mut self, directions: &[Direction]) -> Vec<oneshot::Receiver<()>> {
        let mut rest = Vec::new();
        for direction in directions {
            self.set_held(*direction, false);
            for (id, connection) in &mut self.connections {
                if *direction != Direction::ToClient || !self.kept_answers.contains(id) {
                    rest.extend(connection.queue_mut(*direction).release_all());
                }
            }
        }
        rest
    }

    fn ping_all(&mut self) -> (u64, Vec<ConnectionId>) {
        let number = self.next_ping();
        let mut pinged = Vec::new();
        for (id, connection) in &mut self.connections {
            if !connection.is_exchange() {
                let queue = connection.queue_mut(Direction::ToServer);
                queue.interject(ping::frame(number));
                pinged.push(*id);
            }
        }
        (number, pinged)
    }
}
