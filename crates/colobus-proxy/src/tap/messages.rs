//! [`MessageTap`]: one direction of a WebSocket, or an event stream, while the tap watches it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::SystemTime;

use colobus_har::{Direction, ExchangeId, SocketMessage, SocketMessageKind, StreamEvent};

use super::collected::Collected;
use super::{Listener, Tap};
use crate::split::frames::{Payload, SeenFrame};

/// Told to the tap message by message; what was not delivered is told as lost when this is dropped.
#[derive(Debug)]
pub(crate) struct MessageTap {
    tap: Arc<dyn Tap>,
    exchange: ExchangeId,
    protocol: Protocol,
    undelivered: VecDeque<Message>,
}

#[derive(Debug)]
enum Protocol {
    Socket(Direction, Payload),
    Events,
}

#[derive(Debug)]
struct Message {
    content: Collected,
    kind: SocketMessageKind,
    arrived: SystemTime,
}

impl MessageTap {
    pub fn of_socket(tap: &Arc<dyn Tap>, exchange: ExchangeId, direction: Direction) -> MessageTap {
        let protocol = Protocol::Socket(direction, Payload::default());
        MessageTap { tap: tap.clone(), exchange, protocol, undelivered: VecDeque::new() }
    }

    pub fn of_events(tap: &Arc<dyn Tap>, exchange: ExchangeId) -> MessageTap {
        MessageTap { tap: tap.clone(), exchange, protocol: Protocol::Events, undelivered: VecDeque::new() }
    }

    fn lose_all_but(&mut self, newest: usize) {
        while self.undelivered.len() > newest {
            if let Some(message) = self.undelivered.pop_front() {
                self.tell(message, None);
            }
        }
    }

    fn tell(&self, message: Message, delivered: Option<SystemTime>) {
        let Message { content: Collected { bytes, size }, kind, arrived } = message;
        let exchange = self.exchange;
        match &self.protocol {
            Protocol::Socket(direction, _) => self.tap.socket_message(SocketMessage {
                exchange,
                direction: *direction,
                kind,
                payload: bytes,
                size,
                arrived,
                delivered,
            }),
            Protocol::Events => {
                self.tap.stream_event(StreamEvent { exchange, text: bytes, size, arrived, delivered });
            }
        }
    }
}

impl Listener for MessageTap {
    fn opens(&mut self) {
        let (content, kind) = (Collected::default(), SocketMessageKind::Text);
        self.undelivered.push_back(Message { content, kind, arrived: SystemTime::now() });
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let limit = self.tap.limit();
        let Some(message) = self.undelivered.back_mut() else {
            return;
        };
        match &mut self.protocol {
            Protocol::Events => message.content.add(bytes, limit),
            Protocol::Socket(_, payload) => {
                payload.follow(bytes, |seen| match seen {
                    SeenFrame::Opcode(0x2) => message.kind = SocketMessageKind::Binary,
                    SeenFrame::Opcode(0x8) => message.kind = SocketMessageKind::Close,
                    SeenFrame::Opcode(_) => {}
                    SeenFrame::Content(content) => message.content.add(content, limit),
                });
            }
        }
    }

    fn delivered(&mut self, received: bool) {
        if let Some(message) = self.undelivered.pop_front() {
            self.tell(message, received.then(SystemTime::now));
        }
    }

    fn passed(&mut self, received: bool) {
        self.lose_all_but(1);
        self.delivered(received);
    }
}

impl Drop for MessageTap {
    fn drop(&mut self) {
        self.lose_all_but(0);
    }
}
