//! [`Requests`]: what a page asks for: what is on its way, what failed, and what is kept back so that a user can act
//! before it arrives ([`HeldRequests`]).

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use colobus_world::WorldError;
use tokio::time::timeout;

use super::intercept::{Intercepted, fulfilled};
use super::page_events::{PageEvents, State};
use super::{LogKind, Page};
use crate::protocol::network::ResourceType;
use crate::protocol::{Event, fetch, network, runtime};
use crate::scripts;

/// How long a request that was let through may take until the next one is.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(2);

/// What the browser calls requests of page code.
const DATA: [ResourceType; 4] = [ResourceType::Xhr, ResourceType::Fetch, ResourceType::EventSource, ResourceType::Ping];

#[derive(Default)]
pub(super) struct Requests {
    /// Whether the browser tells of the network of a held page.
    watched: bool,
    /// How often anything has happened on the network.
    movement: u64,
    /// How often a piece of a response has arrived.
    pieces: u64,
    /// Whether the page has sockets or event streams.
    streams: bool,
    /// Addresses of requests without a finished response, by request.
    pub(super) open: HashMap<String, String>,
    held: Option<HeldRequests>,
    /// Set while every request is answered here.
    pub(super) intercepted: Option<Intercepted>,
}

/// Requests that are kept back, the oldest first.
pub(super) struct HeldRequests {
    /// Whether code and all the rest is kept back as well, and not only data.
    code: bool,
    /// The document that was there when it began.
    before: Option<String>,
    requests: VecDeque<HeldRequest>,
}

struct HeldRequest {
    /// Its name for letting it through.
    id: String,
    /// Its name on the network.
    request: String,
}

impl Requests {
    /// Nothing more comes of a request. Returns its address.
    fn ended(&mut self, request: &str) -> Option<String> {
        if let Some(intercepted) = &mut self.intercepted {
            intercepted.ended(request);
        }
        self.open.remove(request)
    }
}

impl State {
    /// Whether the page is loaded, or will not be before its code is let through.
    pub fn is_as_loaded_as_it_gets(&self) -> bool {
        let lacks_code = self.requests.held.as_ref().is_some_and(|held| held.code);
        lacks_code || self.documents.is_loaded()
    }
}

impl Page {
    /// From now on no data arrives that the page asks for, and no `code` either; a new document of the page does.
    pub async fn hold_requests(&self, code: bool) -> Result<(), WorldError> {
        let before = self.document();
        self.events.state().requests.held = Some(HeldRequests { code, before, requests: VecDeque::new() });
        let patterns = vec![fetch::Pattern { url_pattern: "*" }];
        self.call(fetch::Enable { patterns, handle_auth_requests: false }).await.map(|_| ())
    }

    /// Whether it has gone where it wanted to, as far as requests are let through.
    pub fn has_arrived(&self) -> bool {
        let state = self.events.state();
        let is_new = state.requests.held.as_ref().is_none_or(|held| state.documents.document != held.before);
        is_new && state.is_as_loaded_as_it_gets()
    }

    pub fn is_loaded(&self) -> bool {
        self.events.state().documents.is_loaded()
    }

    pub fn is_holding(&self) -> bool {
        self.events.state().requests.held.is_some()
    }

    /// Whether something was asked for that is kept back.
    pub fn holds_something(&self) -> bool {
        self.events.state().requests.held.as_ref().is_some_and(|held| !held.requests.is_empty())
    }

    /// Lets the oldest request through and waits for its answer; false if there is none.
    pub async fn let_one_through(&self) -> bool {
        let oldest = self.events.state().requests.held.as_mut().and_then(|held| held.requests.pop_front());
        let Some(HeldRequest { id, request }) = oldest else { return false };
        drop(self.session.send(fetch::ContinueRequest { request_id: &id, intercept_response: None }));
        self.arrived(&request).await;
        true
    }

    pub async fn let_all_through(&self) -> Result<(), WorldError> {
        let Some(held) = self.events.state().requests.held.take() else { return Ok(()) };
        for request in held.requests {
            drop(self.session.send(fetch::ContinueRequest { request_id: &request.id, intercept_response: None }));
        }
        self.call(fetch::Disable {}).await.map(|_| ())
    }

    /// Returns when the answer to the page's own document is complete.
    pub async fn document_arrived(&self) {
        if let Some(document) = self.document() {
            self.arrived(&document).await;
        }
    }

    pub(super) async fn arrived(&self, request: &str) {
        let done = self.events.until(|state| (state.ended || !state.requests.open.contains_key(request)).then_some(()));
        // A stream never ends; it has had its time.
        let _ = timeout(ARRIVAL_LIMIT, done).await;
    }

    /// How often anything has happened on the network.
    pub fn movement(&self) -> u64 {
        self.events.state().requests.movement
    }

    /// Whether the page has sockets or event streams.
    pub fn has_streams(&self) -> bool {
        self.events.state().requests.streams
    }

    /// From now on the browser tells of pieces of responses that arrive in this held page, and requests pass service workers by.
    pub async fn watch_network(&self) -> Result<(), WorldError> {
        if std::mem::replace(&mut self.events.state().requests.watched, true) {
            return Ok(());
        }
        self.call(network::Enable::WITHOUT_BODIES).await?;
        self.call(network::SetBypassServiceWorker { bypass: true }).await.map(|_| ())
    }

    /// Whether it does so.
    pub fn is_network_watched(&self) -> bool {
        self.events.state().requests.watched
    }

    /// How often a piece of a response has arrived in the page.
    pub fn pieces(&self) -> u64 {
        self.events.state().requests.pieces
    }

    /// Returns when more pieces of responses have arrived than `before`.
    pub async fn more_pieces(&self, before: u64) {
        self.events.until(|state| (state.requests.pieces > before).then_some(())).await;
    }
}

impl PageEvents {
    /// A page waits to register a service worker until no request goes to it.
    pub(super) fn pass_service_workers_by(&self, context: i64) {
        let Some(session) = self.session() else { return };
        self.state().requests.watched = true;
        // The browser executes them in this order.
        drop(session.send(network::Enable::WITHOUT_BODIES));
        drop(session.send(network::SetBypassServiceWorker { bypass: true }));
        let pass_by = scripts::call("serviceWorkers.passBy", &[]);
        drop(session.send(runtime::Evaluate::handle(&pass_by, Some(context))));
    }

    pub(super) fn paused(&self, paused: &fetch::RequestPaused) {
        let mut state = self.state();
        if let Some(intercepted) = &mut state.requests.intercepted {
            let Some(reply) = intercepted.reply(paused) else { return intercepted.paused(paused) };
            drop(state);
            let answer = reply(paused.request.post_data.as_deref().unwrap_or_default());
            let status = if answer.is_some() { 200 } else { 204 };
            let plain = fetch::Header { name: "content-type".into(), value: "text/plain; charset=utf-8".into() };
            let body = answer.unwrap_or_default();
            if let Some(session) = self.session() {
                drop(session.send(fulfilled(&paused.request_id, status, vec![plain], &body)));
            }
            return;
        }
        let is_document = paused.resource_type == ResourceType::Document && paused.frame_id == state.documents.main();
        let is_data = DATA.contains(&paused.resource_type);
        match &mut state.requests.held {
            Some(held) if is_data || held.code && !is_document => {
                let request = paused.network_id.clone().unwrap_or_default();
                held.requests.push_back(HeldRequest { id: paused.request_id.clone(), request });
            }
            _ => {
                if let Some(session) = self.session() {
                    drop(
                        session
                            .send(fetch::ContinueRequest { request_id: &paused.request_id, intercept_response: None }),
                    );
                }
            }
        }
    }

    pub(super) fn network(&self, event: &Event) {
        let mut state = self.state();
        let requests = &mut state.requests;
        requests.movement += 1;
        let failure = match event {
            Event::DataReceived(_) => {
                requests.pieces += 1;
                None
            }
            Event::RequestWillBeSent(sent) => {
                requests.streams |= sent.r#type == Some(ResourceType::EventSource);
                requests.open.insert(sent.request_id.clone(), sent.request.url.clone());
                if let Some(intercepted) = &mut requests.intercepted {
                    intercepted.sent(&sent.request_id, &sent.request.url, sent.r#type);
                }
                None
            }
            Event::WebSocketCreated(_) => {
                requests.streams = true;
                None
            }
            Event::ResponseReceived(received) => {
                let (status, url) = (received.response.status, &received.response.url);
                (status >= 400).then(|| (Some(status), format!("{url} answered with status {status}")))
            }
            Event::LoadingFinished(finished) => {
                requests.ended(&finished.request_id);
                None
            }
            Event::LoadingFailed(failed) => {
                let url = requests.ended(&failed.request_id).unwrap_or_default();
                (failed.canceled != Some(true)).then(|| (None, format!("{url} failed: {}", failed.error_text)))
            }
            _ => None,
        };
        drop(state);
        if let Some((status, text)) = failure {
            self.add_log_entry(LogKind::FailedRequest { status }, text, None);
        }
    }
}
