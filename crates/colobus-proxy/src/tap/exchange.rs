//! [`ExchangeTap`]: one HTTP exchange while the tap watches it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use colobus_har::{Body, Direction, Exchange, ExchangeId, Request, Responder, Response, Timings};

use super::collected::Collected;
use super::{Listener, Tap};
use crate::content_encoding::plain_body;
use crate::split::body::{self, Framing};

/// Told to the tap when it is dropped, or earlier when messages follow.
#[derive(Debug)]
pub(crate) struct ExchangeTap {
    tap: Arc<dyn Tap>,
    id: ExchangeId,
    began: Instant,
    parts: Mutex<Parts>,
}

#[derive(Debug)]
struct Parts {
    /// `None` once it was told.
    exchange: Option<Exchange>,
    request: Side,
    response: Side,
}

/// One direction: its raw body, and whether all of it came.
#[derive(Debug, Default)]
struct Side {
    body: Collected,
    complete: bool,
}

impl ExchangeTap {
    pub fn new(tap: &Arc<dyn Tap>, id: ExchangeId, request: Request) -> ExchangeTap {
        let exchange = Exchange {
            id,
            started: SystemTime::now(),
            request,
            response: None,
            responder: Responder::Server,
            failure: None,
            timings: Timings::default(),
        };
        let parts = Parts { exchange: Some(exchange), request: Side::default(), response: Side::default() };
        ExchangeTap { tap: tap.clone(), id, began: Instant::now(), parts: Mutex::new(parts) }
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        // A panic elsewhere leaves at worst a body short.
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Exchange)) {
        if let Some(exchange) = &mut self.lock().exchange {
            change(exchange);
        }
    }

    pub fn responds(&self, response: Response) {
        let now = self.began.elapsed();
        self.change(|exchange| {
            exchange.response = Some(response);
            exchange.timings.responded = Some(now);
        });
    }

    pub fn answered_by(&self, responder: Responder) {
        self.change(|exchange| exchange.responder = responder);
    }

    pub fn fails(&self, why: &str) {
        self.change(|exchange| exchange.failure = Some(why.to_owned()));
    }

    /// A rewriter replaced this body; `raw` is what was transferred.
    pub fn rewritten(&self, direction: Direction, raw: &[u8]) {
        let mut parts = self.lock();
        let limit = self.tap.limit();
        parts.side(direction).body.add(raw, limit);
        parts.side(direction).complete = true;
        if let Some(exchange) = &mut parts.exchange {
            match (direction, &mut exchange.response) {
                (Direction::ToServer, _) => exchange.request.rewritten = true,
                (Direction::ToClient, Some(response)) => response.rewritten = true,
                (Direction::ToClient, None) => {}
            }
        }
    }

    /// Follows the message of one direction. `head` is its length; a body that was rewritten is known already.
    pub fn listener(&self, direction: Direction, head: usize, framing: Framing) -> Box<dyn Listener + '_> {
        let known = self.lock().side(direction).complete;
        Box::new(BodyListener { tap: self, direction, head, body: body::Body::new(framing), known })
    }

    /// Tells the exchange to the tap now, because messages follow. Returns the tap and the name by which they refer to it.
    pub fn before_messages(&self) -> (Arc<dyn Tap>, ExchangeId) {
        self.lock().response.complete = true;
        self.tell();
        (self.tap.clone(), self.id)
    }

    fn tell(&self) {
        let mut parts = self.lock();
        let Some(mut exchange) = parts.exchange.take() else {
            return;
        };
        let limit = self.tap.limit();
        exchange.request.body = parts.request.body(&exchange.request.content_encoding(), limit);
        if exchange.response.is_none() && exchange.failure.is_none() {
            exchange.failure =
                Some("the connection ended before a response: the client left or went offline".to_owned());
        }
        if let Some(response) = &mut exchange.response {
            response.body = parts.response.body(&response.content_encoding(), limit);
        }
        // The tap may be slow; nothing here waits for it.
        drop(parts);
        self.tap.exchange(exchange);
    }
}

impl Drop for ExchangeTap {
    fn drop(&mut self) {
        self.tell();
    }
}

impl Parts {
    fn side(&mut self, direction: Direction) -> &mut Side {
        match direction {
            Direction::ToServer => &mut self.request,
            Direction::ToClient => &mut self.response,
        }
    }
}

impl Side {
    fn body(&self, encoding: &str, limit: usize) -> Body {
        let incomplete = self.body.is_cut() || !self.complete;
        plain_body(encoding, &self.body.bytes, self.body.size, incomplete, limit)
    }
}

struct BodyListener<'t> {
    tap: &'t ExchangeTap,
    direction: Direction,
    /// Bytes of the head that are still to come.
    head: usize,
    body: body::Body,
    known: bool,
}

impl Listener for BodyListener<'_> {
    fn opens(&mut self) {}

    fn bytes(&mut self, bytes: &[u8]) {
        let head = self.head.min(bytes.len());
        self.head -= head;
        let mut rest = &bytes[head..];
        if self.known {
            return;
        }
        let limit = self.tap.tap.limit();
        let mut parts = self.tap.lock();
        let side = parts.side(self.direction);
        while let Ok(Some(span)) = self.body.next(rest) {
            if span.content {
                side.body.add(&rest[..span.len], limit);
            }
            rest = &rest[span.len..];
        }
        side.complete = self.head == 0 && self.body.is_done();
    }

    fn delivered(&mut self, received: bool) {
        let now = self.tap.began.elapsed();
        // A body that lasts until the sender closes is over when the message is.
        self.tap.lock().side(self.direction).complete = true;
        self.tap.change(|exchange| match self.direction {
            Direction::ToServer => exchange.timings.sent = received.then_some(now),
            Direction::ToClient => exchange.timings.delivered = received.then_some(now),
        });
    }
    fn passed(&mut self, received: bool) {
        self.delivered(received);
    }
}
