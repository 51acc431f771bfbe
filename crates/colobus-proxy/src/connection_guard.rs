//! [`ConnectionGuard`]: registers a connection in the proxy state until it is dropped; [`QueueHandle`] is what a pump knows of
//! the gate.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Notify;
use tracing::debug;

use super::proxy_state::{ProxyState, Role, State};
use super::queue::{MessageQueue, NextWrite, QueuedMessage, Release};
use super::view::{ConnectionId, Direction, MessageKind, is_data};

#[derive(Debug)]
pub(super) struct ConnectionGuard {
    proxy_state: Arc<ProxyState>,
    id: ConnectionId,
}

impl ConnectionGuard {
    pub fn exchange(proxy_state: &Arc<ProxyState>, method: &str, url: &str) -> ConnectionGuard {
        let role = Role::Exchange { method: method.to_owned(), since: Instant::now(), streams: false, sent: false };
        Self::enter(proxy_state, url, role)
    }

    pub fn socket(proxy_state: &Arc<ProxyState>, url: &str) -> ConnectionGuard {
        Self::enter(proxy_state, url, Role::Socket { answered_ping: 0 })
    }

    fn enter(proxy_state: &Arc<ProxyState>, url: &str, role: Role) -> ConnectionGuard {
        let is_socket = matches!(role, Role::Socket { .. });
        let id = proxy_state.record(|state| state.open(url, role));
        debug!(target: "gate", connection = id.0, is_socket, url = without_query(url), "opened");
        let proxy_state = proxy_state.clone();
        ConnectionGuard { proxy_state, id }
    }

    pub fn id(&self) -> ConnectionId {
        self.id
    }

    pub fn queue(&self, direction: Direction) -> QueueHandle {
        let wake = self.proxy_state.read(|state| {
            let connection = state.connections.get(&self.id)?;
            Some(connection.queue(direction).wake.clone())
        });
        QueueHandle { proxy_state: self.proxy_state.clone(), id: self.id, direction, wake: wake.unwrap_or_default() }
    }

    /// The response sends the client on to this address.
    pub fn is_redirected(&self, next: String) {
        self.proxy_state.quietly(|state| state.redirect(self.id, next));
    }

    /// The response turned out to be a stream of events.
    pub fn turns_into_stream(&self) {
        self.proxy_state.record(|state| {
            if let Some(connection) = state.connections.get_mut(&self.id) {
                connection.turns_into_stream();
            }
        });
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.proxy_state.record(|state| state.close(self.id));
        debug!(target: "gate", connection = self.id.0, "closed");
    }
}

/// An address as the log may show it: queries carry tokens.
fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

/// One direction of one connection, seen from its pump. Valid while the guard is kept; later it does nothing.
#[derive(Debug)]
pub(super) struct QueueHandle {
    proxy_state: Arc<ProxyState>,
    id: ConnectionId,
    direction: Direction,
    wake: Arc<Notify>,
}

impl QueueHandle {
    fn queue<'s>(&self, state: &'s mut State) -> Option<&'s mut MessageQueue> {
        let connection = state.connections.get_mut(&self.id)?;
        Some(connection.queue_mut(self.direction))
    }

    /// A message begins to arrive: its position, and whether it may pass at once.
    pub fn arrive(&self) -> (u64, bool) {
        let (position, passes) = self.proxy_state.quietly(|state| {
            let held = state.is_held(self.id, self.direction);
            self.queue(state).map_or((0, true), |queue| queue.arrive(held))
        });
        debug!(target: "gate", connection = self.id.0, direction = ?self.direction, position, passes, "arrives");
        (position, passes)
    }

    pub fn enqueue(&self, position: u64, kind: MessageKind, bytes: Vec<u8>, complete: bool, preview: String) {
        let bytes_held = bytes.len();
        let id = self.proxy_state.record(|state| {
            let message = QueuedMessage {
                id: state.next_message(),
                position,
                kind,
                bytes,
                complete,
                preview,
                // The gate may have opened while the message was still arriving.
                release: match state.is_held(self.id, self.direction) {
                    true => Release::Waiting,
                    false => Release::Free,
                },
            };
            let id = message.id;
            if self.direction == Direction::ToClient {
                state.note_arrival(self.id, kind, message.preview.clone());
            }
            if let Some(queue) = self.queue(state) {
                queue.enqueue(message);
            }
            id
        });
        let (connection, direction) = (self.id.0, self.direction);
        debug!(target: "gate", connection, ?direction, number = id.0, ?kind, bytes = bytes_held, "held");
    }

    pub fn next_due(&self) -> Option<NextWrite> {
        self.proxy_state.quietly(|state| self.queue(state)?.next_due())
    }

    /// The last bytes of a message are about to be written. Noted before that: the server's reaction may arrive elsewhere before
    /// the write returns.
    pub fn departs(&self, kind: MessageKind, preview: String) {
        if self.direction == Direction::ToServer {
            self.proxy_state.quietly(|state| state.note_departure(self.id, kind, preview));
        }
    }

    /// A whole message is on its way to the receiver. `preview` is how it begins if its arrival was not noted yet: it was not held.
    pub fn forwarded(&self, kind: MessageKind, preview: Option<String>) {
        debug!(target: "gate", connection = self.id.0, direction = ?self.direction, ?kind, "forwarded");
        self.proxy_state.record(|state| {
            if let (Direction::ToClient, Some(preview)) = (self.direction, preview) {
                state.note_arrival(self.id, kind, preview);
            }
            if kind == MessageKind::Request {
                state.request_is_sent(self.id);
            }
            if is_data(kind) {
                state.traffic(self.direction).messages += 1;
                if let Some(queue) = self.queue(state) {
                    queue.forwarded += 1;
                }
            }
        });
    }

    pub fn answered(&self, ping: u64) {
        self.proxy_state.adjust(|state| {
            if let Some(connection) = state.connections.get_mut(&self.id) {
                connection.answer(ping);
            }
        });
    }

    /// The sender of this queue closed its end: it receives nothing more, either.
    pub fn sender_left(&self) {
        let opposite = match self.direction {
            Direction::ToServer => Direction::ToClient,
            Direction::ToClient => Direction::ToServer,
        };
        self.proxy_state.record(|state| {
            if let Some(connection) = state.connections.get_mut(&self.id) {
                connection.queue_mut(opposite).receiver_left();
            }
        });
    }

    /// The receiver of this queue can no longer be written to.
    pub fn receiver_left(&self) {
        self.proxy_state.record(|state| {
            if let Some(queue) = self.queue(state) {
                queue.receiver_left();
            }
        });
    }

    /// Bytes in the queue, `None` when nothing at all is left to be written.
    pub fn backlog(&self) -> Option<usize> {
        self.proxy_state.quietly(|state| {
            let queue = self.queue(state)?;
            (!queue.is_empty()).then(|| queue.queued_bytes())
        })
    }

    /// Waits until something became due.
    pub async fn woken(&self) {
        self.wake.notified().await;
    }
}
