//! [`Collector`]: a tap that keeps what it sees until its owner takes it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_har::{Capture, Exchange, SocketMessage, StreamEvent};

use super::Tap;

#[derive(Debug)]
pub struct Collector {
    /// Bytes of one body or message.
    limit: usize,
    /// Bytes of all contents together.
    total_limit: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    capture: Capture,
    bytes: usize,
}

impl Collector {
    /// Keeps up to `limit` bytes of each body and message. Contents that would make it more than `total_limit` bytes are left
    /// out and counted; that they were there is kept.
    pub fn new(limit: usize, total_limit: usize) -> Collector {
        Collector { limit, total_limit, kept: Mutex::default() }
    }

    /// All that was seen since the last call.
    pub fn take(&self) -> Capture {
        std::mem::take(&mut *self.lock()).capture
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // A panic elsewhere leaves the lists whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a content; false if there is none, and it has been emptied.
    fn admit(&self, kept: &mut Kept, content: &mut Vec<u8>) -> bool {
        let fits = kept.bytes + content.len() <= self.total_limit;
        if fits {
            kept.bytes += content.len();
        } else {
            content.clear();
            kept.capture.left_out += 1;
        }
        fits
    }
}

impl Tap for Collector {
    fn limit(&self) -> usize {
        self.limit
    }

    fn exchange(&self, mut exchange: Exchange) {
        let mut kept = self.lock();
        let response = exchange.response.as_mut().map(|response| &mut response.body);
        for body in [Some(&mut exchange.request.body), response].into_iter().flatten() {
            body.cut |= !self.admit(&mut kept, &mut body.content);
        }
        kept.capture.exchanges.push(exchange);
    }

    fn socket_message(&self, mut message: SocketMessage) {
        let mut kept = self.lock();
        self.admit(&mut kept, &mut message.payload);
        kept.capture.socket_messages.push(message);
    }

    fn stream_event(&self, mut event: StreamEvent) {
        let mut kept = self.lock();
        self.admit(&mut kept, &mut event.text);
        kept.capture.stream_events.push(event);
    }
}

#[cfg(test)]
mod tests {
    use colobus_har::{ExchangeId, Moment};

    use super::*;

    fn event(text: &str) -> StreamEvent {
        let (text, size) = (text.as_bytes().to_vec(), text.len() as u64);
        StreamEvent { exchange: ExchangeId(1), text, size, arrived: Moment::default(), delivered: None }
    }

    #[test]
    fn contents_beyond_the_limit_are_left_out_and_counted() {
        let collector = Collector::new(100, 5);
        for text in ["abc", "def", "gh"] {
            collector.stream_event(event(text));
        }
        let capture = collector.take();
        let kept: Vec<(&[u8], bool)> = capture.stream_events.iter().map(|e| (&e.text[..], e.is_cut())).collect();
        assert_eq!(kept, [(&b"abc"[..], false), (b"", true), (b"gh", false)]);
        assert_eq!(capture.left_out, 1);
        assert!(collector.take().is_empty());
        collector.stream_event(event("again"));
        assert_eq!(collector.take().left_out, 0, "the limit counts what is kept");
    }
}
