//! [`Exchange`]: one HTTP request on its way to the server, and its response on the way back. Both may be rewritten, pass
//! the gate, and are shown to the tap; an answerer may take the place of the server.

mod answering;
mod collect;
mod rewriting;

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::BytesMut;
use colobus_har::ExchangeId;
use colobus_model::UrlParts;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::time::timeout;

use super::connection_guard::ConnectionGuard;
use super::context::Context;
use super::http::{HeadError, Request, Response, plain_request, plain_response};
use super::pump::{Coding, Pump, PumpError};
use super::split::body::{Framing, HttpMessage};
use super::split::events::Events;
use super::tap::{ExchangeTap, Listener, MessageTap, Tap};
use super::view::{Direction, MessageKind};
use super::wire::Wire;
pub(super) use answering::{Asked, Outgoing};
use rewriting::Ready;

/// What may pile up of further requests while a response is on its way.
const MOST_PIPELINED: usize = 256 * 1024;

/// How an exchange ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ending {
    KeepAlive,
    Close,
    /// The server agreed to a WebSocket.
    Upgraded,
    /// Nothing came back that could be passed on.
    NoAnswer {
        status: u16,
        what: String,
    },
}

/// Why the client got no response, or not all of it.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the application closed the connection without an answer")]
    Closed,
    #[error("the connection to the application failed before an answer: {0}")]
    Lost(io::Error),
    #[error("the application's answer cannot be forwarded: {0}")]
    BadHead(#[from] HeadError),
    #[error("the application did not begin to answer in time")]
    TooSlow,
    /// The response had begun; closing is the only way left to tell.
    #[error("the response broke off: {0}")]
    BrokeOff(#[from] PumpError),
}

/// A request and what becomes of it.
pub(super) struct Exchange<'e> {
    context: &'e Context,
    request: &'e Request,
    url: &'e str,
    connection_guard: &'e ConnectionGuard,
    tap: Option<ExchangeTap>,
    request_is_sent: AtomicBool,
    /// The document that asked, if the network may break the connection.
    document: Option<u64>,
}

impl<'e> Exchange<'e> {
    pub fn new(context: &'e Context, request: &'e Request, url: &'e str, guard: &'e ConnectionGuard) -> Self {
        let tap = context.tap.as_ref().map(|tap| {
            let id = ExchangeId(guard.id().0);
            ExchangeTap::new(tap, id, plain_request(&request.outgoing, url))
        });
        let request_is_sent = AtomicBool::new(false);
        let document = context.breakable();
        Exchange { context, request, url, connection_guard: guard, tap, request_is_sent, document }
    }

    /// Takes the request from the client up to where the gate begins; `None` when the client left.
    pub async fn prepare(&self, client: &mut Wire) -> Option<Ready> {
        self.prepare_request(&mut client.stream, &mut client.inbox).await.ok()
    }

    /// Forwards the request to the server, and the response to the client.
    pub async fn run(&self, client: &mut Wire, server: &mut Wire, outgoing: Outgoing) -> Ending {
        let (from_client, to_client) = split(&mut client.stream);
        let (from_server, to_server) = split(&mut server.stream);
        let answered = tokio::select! {
            biased;
            answered = self.receive(from_server, &mut server.inbox, to_client) => answered,
            // The client left.
            () = self.send(from_client, &mut client.inbox, to_server, outgoing) => return Ending::Close,
        };
        match answered {
            // Answered before the request was all there: the rest of it cannot be told from a next request.
            Ok(_) if !self.request_is_sent.load(Ordering::Relaxed) => Ending::Close,
            Ok(ending) => ending,
            Err(failure) => self.failed(failure),
        }
    }

    /// Tells the tap why there is no response.
    pub fn fails(&self, why: &str) {
        if let Some(tap) = &self.tap {
            tap.fails(why);
        }
    }

    /// Tells the exchange to the tap before the messages of the socket that it opened.
    pub fn opens_socket(&self) -> Option<(Arc<dyn Tap>, ExchangeId)> {
        self.tap.as_ref().map(ExchangeTap::before_messages)
    }

    /// Forwards the request, then watches over the client; returns when it left, or what it sends makes no sense.
    async fn send(
        &self,
        mut from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        mut to: impl AsyncWrite + Unpin,
        outgoing: Outgoing,
    ) {
        let sent = match outgoing {
            Outgoing::Ready(ready) => self.pump_request(&mut from, inbox, to, ready).await,
            Outgoing::Passed(bytes) => to.write_all(&bytes).await.map_err(PumpError::Write),
        };
        match sent {
            Ok(()) => self.request_is_sent.store(true, Ordering::Relaxed),
            // A server may answer without reading on; its answer, or the lack of one, decides.
            Err(PumpError::Write(_)) => pending().await,
            Err(PumpError::Read(_)) => return self.broke(),
            Err(PumpError::Malformed(_)) => return,
        }
        self.watch(from, inbox).await
    }

    /// Moves the request through the gate.
    async fn pump_request(
        &self,
        from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        to: impl AsyncWrite + Unpin,
        ready: Ready,
    ) -> Result<(), PumpError> {
        let summary = format!("{} {}", self.request.method, self.request.path());
        let message = HttpMessage::new(MessageKind::Request, summary, ready.head, ready.framing);
        let queue = self.connection_guard.queue(Direction::ToServer);
        let mut pump = Pump::new(from, to, inbox, message, queue, &self.context.limits)
            .heard_by(self.listener(Direction::ToServer, ready))
            .hold_first_piece_only(self.request.expects_continue);
        pump.run().await
    }

    /// Returns when the client left, or sends more than it should before it has an answer.
    async fn watch(&self, mut from: impl AsyncRead + Unpin, inbox: &mut BytesMut) {
        while inbox.len() < MOST_PIPELINED {
            match from.read_buf(inbox).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(_) => return self.broke(),
            }
        }
        pending().await
    }

    /// The client's connection ended with an error; a page that gives a request up closes it.
    fn broke(&self) {
        if let Some(document) = self.document {
            self.context.proxy_state.broke(document);
        }
    }

    async fn receive(
        &self,
        mut from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        mut to: impl AsyncWrite + Unpin,
    ) -> Result<Ending, Failure> {
        let limit = self.context.response_timeout;
        let response = loop {
            let head = timeout(limit, self.response_head(&mut from, inbox)).await;
            let response = head.map_err(|_| Failure::TooSlow)??;
            if !response.is_interim() {
                break response;
            }
            let written = to.write_all(&response.outgoing).await;
            written.map_err(|error| Failure::BrokeOff(PumpError::Write(error)))?;
        };
        if response.status == 101 && !self.request.upgrades_to_websocket {
            return Err(HeadError::UnaskedUpgrade.into());
        }
        if let Some(tap) = &self.tap {
            tap.responds(plain_response(&response.outgoing));
        }
        let ending = match (response.status, response.keep_alive) {
            (101, _) => Ending::Upgraded,
            (_, true) => Ending::KeepAlive,
            (_, false) => Ending::Close,
        };
        if let Some(next) = response.location.as_deref().and_then(|next| UrlParts::resolve(self.url, next)) {
            self.connection_guard.is_redirected(next);
        }
        if response.is_endless() {
            self.connection_guard.turns_into_stream();
        }
        match response.is_event_stream() {
            true => self.deliver_events(response, from, inbox, to).await?,
            false => self.deliver_whole(response, from, inbox, to).await?,
        }
        Ok(ending)
    }

    async fn response_head(&self, mut from: impl AsyncRead + Unpin, inbox: &mut BytesMut) -> Result<Response, Failure> {
        loop {
            let parsed = Response::parse(inbox, &self.request.method, self.request.keep_alive)?;
            if let Some((response, len)) = parsed {
                let _head = inbox.split_to(len);
                return Ok(response);
            }
            match from.read_buf(inbox).await {
                Ok(0) => return Err(Failure::Closed),
                Ok(_) => {}
                Err(error) => return Err(Failure::Lost(error)),
            }
        }
    }

    /// Head and body are one message.
    async fn deliver_whole(
        &self,
        response: Response,
        mut from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        to: impl AsyncWrite + Unpin,
    ) -> Result<(), PumpError> {
        let ready = self.prepare_response(&response, &mut from, inbox).await.map_err(PumpError::Read)?;
        let message = HttpMessage::new(MessageKind::Response, response.summary(), ready.head, ready.framing);
        let queue = self.connection_guard.queue(Direction::ToClient);
        let listener = self.listener(Direction::ToClient, ready);
        let mut pump = Pump::new(from, to, inbox, message, queue, &self.context.limits).heard_by(listener);
        pump.run().await
    }

    /// The head is a message, and so is each event.
    async fn deliver_events(
        &self,
        mut response: Response,
        mut from: impl AsyncRead + Unpin,
        inbox: &mut BytesMut,
        mut to: impl AsyncWrite + Unpin,
    ) -> Result<(), PumpError> {
        let coding = match response.framing {
            Framing::Chunked => Coding::Chunked,
            _ => Coding::Verbatim,
        };
        let events = Events::new(response.framing);
        response.framing = Framing::Empty;
        self.deliver_whole(response, &mut from, inbox, &mut to).await?;
        let queue = self.connection_guard.queue(Direction::ToClient);
        let tap = self.tap.as_ref().map(ExchangeTap::before_messages);
        let listener = tap.map(|(tap, id)| Box::new(MessageTap::of_events(&tap, id)) as Box<dyn Listener>);
        let pump = Pump::new(from, to, inbox, events, queue, &self.context.limits).heard_by(listener);
        pump.coding(coding).run().await
    }

    fn listener(&self, direction: Direction, ready: Ready) -> Option<Box<dyn Listener + '_>> {
        self.tap.as_ref().map(|tap| tap.listener(direction, ready.head, ready.framing))
    }

    fn failed(&self, failure: Failure) -> Ending {
        let limit = self.context.response_timeout;
        match failure {
            Failure::BrokeOff(_) => Ending::Close,
            Failure::TooSlow => Ending::NoAnswer { status: 504, what: format!("{failure} ({limit:?})") },
            _ => Ending::NoAnswer { status: 502, what: failure.to_string() },
        }
    }
}

fn put_in_front(inbox: &mut BytesMut, head: &[u8], framing: Framing) -> Ready {
    let rest = inbox.split();
    inbox.reserve(head.len() + rest.len());
    inbox.extend_from_slice(head);
    inbox.extend_from_slice(&rest);
    Ready { head: head.len(), framing }
}
