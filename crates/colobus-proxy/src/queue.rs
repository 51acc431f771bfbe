//! [`MessageQueue`]: one direction of one connection at the gate, a queue that is first in, first out. Pure data: kept in
//! the proxy state, emptied by the pump.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{Notify, oneshot};

use super::view::{MessageId, MessageKind, is_data};

#[derive(Debug, Default)]
pub(super) struct MessageQueue {
    /// Data messages forwarded.
    pub forwarded: u64,
    /// Messages of any kind that began to arrive.
    arrived: u64,
    queue: VecDeque<QueuedMessage>,
    queued_bytes: usize,
    /// Control frames of the proxy itself, which overtake the queue.
    interjections: VecDeque<Vec<u8>>,
    /// The receiver has left: messages pass and are lost.
    receiver_left: bool,
    /// Wakes the pump when something in here became due.
    pub wake: Arc<Notify>,
}

/// A message at the gate.
#[derive(Debug)]
pub(super) struct QueuedMessage {
    pub id: MessageId,
    pub position: u64,
    pub kind: MessageKind,
    pub bytes: Vec<u8>,
    pub complete: bool,
    pub preview: String,
    pub release: Release,
}

/// Whether a queued message may go.
#[derive(Debug)]
pub(super) enum Release {
    Waiting,
    /// The gate opened while it arrived; no caller waits for it.
    Free,
    /// The caller that released it is told when it went.
    Released(oneshot::Sender<()>),
}

impl Release {
    fn is_granted(&self) -> bool {
        !matches!(self, Release::Waiting)
    }
}

impl QueuedMessage {
    fn release(&mut self) -> oneshot::Receiver<()> {
        let (went, hears) = oneshot::channel();
        self.release = Release::Released(went);
        hears
    }
}

/// What the pump has to write next.
#[derive(Debug)]
pub(super) enum NextWrite {
    Interjection(Vec<u8>),
    QueuedMessage(QueuedMessage),
}

/// Why a message cannot be released now.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Absent,
    Behind(MessageId),
}

impl MessageQueue {
    /// A message begins to arrive: its position, and whether it may pass at once.
    pub fn arrive(&mut self, held: bool) -> (u64, bool) {
        let position = self.arrived;
        self.arrived += 1;
        (position, self.receiver_left || (!held && self.queue.is_empty()))
    }

    pub fn enqueue(&mut self, message: QueuedMessage) {
        if !self.receiver_left {
            self.queued_bytes += message.bytes.len();
            self.queue.push_back(message);
        }
    }

    pub fn interject(&mut self, frame: Vec<u8>) {
        self.interjections.push_back(frame);
        self.wake.notify_one();
    }

    pub fn next_due(&mut self) -> Option<NextWrite> {
        if let Some(frame) = self.interjections.pop_front() {
            return Some(NextWrite::Interjection(frame));
        }
        self.queue.front().filter(|message| message.release.is_granted())?;
        let message = self.queue.pop_front()?;
        self.queued_bytes -= message.bytes.len();
        Some(NextWrite::QueuedMessage(message))
    }

    /// Lets one message go; the receiver hears when it went, or fails when it no longer can.
    pub fn release(&mut self, id: MessageId) -> Result<oneshot::Receiver<()>, Refused> {
        let waiting = self.queue.iter_mut().find(|p| !p.release.is_granted());
        match waiting {
            Some(message) if message.id == id => {
                self.wake.notify_one();
                Ok(message.release())
            }
            Some(QueuedMessage { id: first, .. }) => {
                let first = *first;
                let behind = self.waiting().any(|message| message.id == id);
                Err(if behind { Refused::Behind(first) } else { Refused::Absent })
            }
            None => Err(Refused::Absent),
        }
    }

    /// Lets everything go.
    pub fn release_all(&mut self) -> Vec<oneshot::Receiver<()>> {
        self.wake.notify_one();
        let waiting = self.queue.iter_mut().filter(|p| !p.release.is_granted());
        waiting.map(QueuedMessage::release).collect()
    }

    pub fn receiver_left(&mut self) {
        self.receiver_left = true;
        self.queue.clear();
        self.queued_bytes = 0;
        self.interjections.clear();
        self.wake.notify_one();
    }

    /// Messages that were not released yet.
    pub fn waiting(&self) -> impl Iterator<Item = &QueuedMessage> {
        self.queue.iter().filter(|message| !message.release.is_granted())
    }

    /// Data messages that arrived and were not forwarded.
    pub fn held_data(&self) -> u64 {
        self.queue.iter().filter(|p| is_data(p.kind)).count() as u64
    }

    pub fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.interjections.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue_of(ids: &[u64]) -> MessageQueue {
        let mut queue = MessageQueue::default();
        for id in ids {
            let (position, passes) = queue.arrive(true);
            assert!(!passes);
            queue.enqueue(QueuedMessage {
                id: MessageId(*id),
                position,
                kind: MessageKind::Text,
                bytes: vec![0; 10],
                complete: true,
                preview: String::new(),
                release: Release::Waiting,
            });
        }
        queue
    }

    fn due(queue: &mut MessageQueue) -> Option<u64> {
        match queue.next_due()? {
            NextWrite::QueuedMessage(message) => Some(message.id.0),
            NextWrite::Interjection(_) => Some(u64::MAX),
        }
    }

    #[test]
    fn only_the_first_of_the_queue_may_go() {
        let mut queue = queue_of(&[1, 2, 3]);
        assert_eq!(queue.release(MessageId(2)).unwrap_err(), Refused::Behind(MessageId(1)));
        assert_eq!(queue.release(MessageId(9)).unwrap_err(), Refused::Absent);
        assert_eq!(due(&mut queue), None);
        let first = queue.release(MessageId(1)).unwrap();
        let second = queue.release(MessageId(2)).unwrap();
        assert_eq!(queue.release(MessageId(1)).unwrap_err(), Refused::Absent);
        assert_eq!(due(&mut queue), Some(1));
        assert_eq!(due(&mut queue), Some(2));
        assert_eq!(due(&mut queue), None);
        assert_eq!(queue.queued_bytes(), 10);
        drop((first, second));
    }

    #[test]
    fn a_free_message_does_not_overtake_the_queue() {
        let mut queue = queue_of(&[1]);
        assert_eq!(queue.arrive(false), (1, false));
        let _went = queue.release(MessageId(1)).unwrap();
        assert_eq!(queue.arrive(false), (2, false));
        assert_eq!(due(&mut queue), Some(1));
        assert_eq!(queue.arrive(false), (3, true));
    }

    #[test]
    fn interjections_overtake_and_a_lost_receiver_empties_the_queue() {
        let mut queue = queue_of(&[1]);
        queue.interject(vec![1]);
        assert_eq!(due(&mut queue), Some(u64::MAX));
        let mut went = queue.release(MessageId(1)).unwrap();
        queue.receiver_left();
        assert!(queue.is_empty());
        assert_eq!(went.try_recv(), Err(oneshot::error::TryRecvError::Closed));
        assert_eq!(queue.arrive(true), (1, true));
    }
}
