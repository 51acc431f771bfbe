//! Requests that are answered here, one by one: each stops when it is sent, and waits until it is answered or let through
//! to its server. Used by executions of a page whose events are released one after the other.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_world::WorldError;
use tokio::time::timeout;

use super::Page;
use crate::protocol::network::ResourceType;
use crate::protocol::{fetch, page};

/// How long the browser may take to stop a request that the page has sent. Generous: a busy machine takes seconds, and what a cache
/// answers ends by itself.
const STOP_LIMIT: Duration = Duration::from_secs(10);
/// How long the browser may take to say that a request was sent that has stopped; of some it never says so.
const SENT_LIMIT: Duration = Duration::from_secs(2);

/// What the browser calls XHR where a request stops.
const TOLD_LATER: [ResourceType; 2] = [ResourceType::Fetch, ResourceType::EventSource];

/// A request that has stopped.
#[derive(Clone, Debug)]
pub struct StoppedRequest {
    /// Its name for answering it.
    pub id: String,
    /// Its name on the network.
    pub network_id: String,
    pub in_main_frame: bool,
    /// Its use.
    pub resource_type: ResourceType,
    pub method: String,
    pub url: String,
    pub body: String,
    /// Whether it has a body that the browser did not tell: a long one, or files.
    pub lacks_body: bool,
    /// Set if it stopped again because its server has answered.
    pub response: Option<StoppedResponse>,
}

/// What a server answered, before the page has it.
#[derive(Clone, Debug)]
pub struct StoppedResponse {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// Why there is no answer.
    pub error: Option<String>,
}

/// `ConnectionRefused` as people write it.
fn in_words(reason: &str) -> String {
    let mut words = String::new();
    for c in reason.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

/// Answers a request from its body: what the page gets, or nothing (204).
pub type DirectAnswer = Arc<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync>;

#[derive(Default)]
pub(super) struct Intercepted {
    /// Requests to this address are answered at once.
    direct: Option<(String, DirectAnswer)>,
    /// The name of the main frame.
    main: String,
    stopped: Vec<StoppedRequest>,
    /// Requests of page code that have stopped before the page said whether it fetches or uses an XMLHttpRequest.
    unclear: Vec<StoppedRequest>,
    /// Sent by the page, and not stopped yet.
    on_the_way: HashSet<String>,
    /// Those that the page fetches, and its event streams. Where requests stop, the browser does not tell them from others.
    kinds: HashMap<String, ResourceType>,
    sent: HashSet<String>,
}

/// The name that its other events have; its own if there are none.
fn network_id(paused: &fetch::RequestPaused) -> &str {
    paused.network_id.as_deref().unwrap_or(&paused.request_id)
}

impl Intercepted {
    /// How this request is answered at once, if it is.
    pub fn reply(&mut self, paused: &fetch::RequestPaused) -> Option<DirectAnswer> {
        let (address, reply) = self.direct.as_ref()?;
        if paused.request.url != *address {
            return None;
        }
        self.on_the_way.remove(network_id(paused));
        Some(reply.clone())
    }

    pub fn paused(&mut self, paused: &fetch::RequestPaused) {
        let network_id = network_id(paused).to_string();
        self.on_the_way.remove(&network_id);
        let headers = paused.response_headers.iter().flatten();
        let headers = headers.map(|header| (header.name.clone(), header.value.clone())).collect();
        let error = paused.response_error_reason.as_deref().map(in_words);
        let answered = paused.response_status_code.is_some() || error.is_some();
        let status = paused.response_status_code.unwrap_or_default();
        let will_be_told = paused.network_id.is_some() && !self.sent.contains(&network_id);
        let is_unclear = paused.resource_type == ResourceType::Xhr && will_be_told;
        let kind = self.kinds.get(&network_id).copied().unwrap_or(paused.resource_type);
        let list = if is_unclear { &mut self.unclear } else { &mut self.stopped };
        list.push(StoppedRequest {
            id: paused.request_id.clone(),
            network_id,
            in_main_frame: paused.frame_id == self.main,
            resource_type: kind,
            method: paused.request.method.clone(),
            url: paused.request.url.clone(),
            body: paused.request.post_data.clone().unwrap_or_default(),
            lacks_body: paused.request.post_data.is_none() && paused.request.has_post_data == Some(true),
            response: answered.then_some(StoppedResponse { status, headers, error }),
        });
    }

    pub fn sent(&mut self, request: &str, url: &str, kind: Option<ResourceType>) {
        self.sent.insert(request.to_string());
        let kind = kind.filter(|kind| TOLD_LATER.contains(kind));
        if let Some(kind) = kind {
            self.kinds.insert(request.to_string(), kind);
        }
        let (clear, unclear) =
            std::mem::take(&mut self.unclear).into_iter().partition(|it: &StoppedRequest| it.network_id == request);
        self.unclear = unclear;
        let clear: Vec<StoppedRequest> = clear;
        let mut has_stopped = self.stopped.iter().any(|stopped| stopped.network_id == request);
        for mut stopped in clear {
            has_stopped = true;
            if let Some(kind) = kind {
                stopped.resource_type = kind;
            }
            self.stopped.push(stopped);
        }
        if url.starts_with("http") && !has_stopped {
            self.on_the_way.insert(request.to_string());
        }
    }

    pub fn ended(&mut self, request: &str) {
        self.on_the_way.remove(request);
    }
}

pub(super) fn fulfilled<'a>(
    id: &'a str,
    status: u16,
    headers: Vec<fetch::Header>,
    body: &[u8],
) -> fetch::FulfillRequest<'a> {
    fetch::FulfillRequest {
        request_id: id,
        response_code: status,
        response_headers: headers,
        body: BASE64.encode(body),
    }
}

impl Page {
    /// From now on every request stops and waits for its answer.
    pub async fn intercept_requests(&self) -> Result<(), WorldError> {
        {
            let mut state = self.events.state();
            let main = state.documents.main().to_string();
            state.requests.intercepted = Some(Intercepted { main, ..Intercepted::default() });
        }
        let patterns = vec![fetch::Pattern { url_pattern: "*" }];
        self.call(fetch::Enable { patterns, handle_auth_requests: false }).await.map(|_| ())
    }

    /// From now on requests to this address are answered as soon as they stop, also while the page waits for the answer and
    /// does nothing else.
    pub fn answer_at_once(&self, address: &str, reply: DirectAnswer) {
        if let Some(intercepted) = &mut self.events.state().requests.intercepted {
            intercepted.direct = Some((address.to_string(), reply));
        }
    }

    /// The requests that have stopped since the last call.
    pub fn take_stopped(&self) -> Vec<StoppedRequest> {
        let mut state = self.events.state();
        state.requests.intercepted.as_mut().map(|it| std::mem::take(&mut it.stopped)).unwrap_or_default()
    }

    /// Returns when a request has stopped that was not taken yet.
    pub async fn until_stopped(&self) {
        let stopped = |state: &mut super::page_events::State| {
            let intercepted = state.requests.intercepted.as_ref();
            (state.ended || intercepted.is_some_and(|it| !it.stopped.is_empty())).then_some(())
        };
        self.events.until(stopped).await;
    }

    /// Returns when all requests that the page has sent have stopped, or ended by themselves.
    pub async fn all_stopped(&self) {
        let none_on_the_way = |state: &mut super::page_events::State| {
            let intercepted = state.requests.intercepted.as_ref();
            (state.ended || intercepted.is_none_or(|it| it.on_the_way.is_empty())).then_some(())
        };
        let none_unclear = |state: &mut super::page_events::State| {
            let intercepted = state.requests.intercepted.as_ref();
            (state.ended || intercepted.is_none_or(|it| it.unclear.is_empty())).then_some(())
        };
        if timeout(STOP_LIMIT, self.events.until(none_on_the_way)).await.is_err()
            && let Some(intercepted) = &mut self.events.state().requests.intercepted
        {
            // A service worker answers: it will not stop any more.
            intercepted.on_the_way.clear();
        }
        if timeout(SENT_LIMIT, self.events.until(none_unclear)).await.is_err()
            && let Some(intercepted) = &mut self.events.state().requests.intercepted
        {
            let unclear = std::mem::take(&mut intercepted.unclear);
            intercepted.stopped.extend(unclear);
        }
    }

    /// Whether the page still waits for an answer to this request. A request may stop before the browser says that it was sent.
    pub fn is_open(&self, network_id: &str) -> bool {
        let state = self.events.state();
        let was_sent = state.requests.intercepted.as_ref().is_none_or(|it| it.sent.contains(network_id));
        !was_sent || state.requests.open.contains_key(network_id)
    }

    /// Returns when the page has the whole answer to this request.
    pub async fn answered(&self, network_id: &str) {
        self.arrived(network_id).await;
    }

    /// Asks the server. The request stops again when the server has answered.
    pub fn ask_server(&self, id: &str) {
        drop(self.session.send(fetch::ContinueRequest { request_id: id, intercept_response: Some(true) }));
    }

    /// Lets the request or its response through as it is.
    pub fn let_through(&self, id: &str) {
        drop(self.session.send(fetch::ContinueRequest { request_id: id, intercept_response: None }));
    }

    /// What a server sent, decoded.
    pub async fn response_body(&self, id: &str) -> Result<Vec<u8>, WorldError> {
        let answer = self.call(fetch::GetResponseBody { request_id: id }).await?;
        if !answer.base64_encoded {
            return Ok(answer.body.into_bytes());
        }
        let unreadable = |_| WorldError::Interrupted("the body of an answer is unreadable".to_string());
        BASE64.decode(answer.body).map_err(unreadable)
    }

    /// Answers a request.
    pub fn answer(&self, id: &str, status: u16, headers: &[(String, String)], body: &[u8]) {
        let header = |(name, value): &(String, String)| fetch::Header { name: name.clone(), value: value.clone() };
        let headers = headers.iter().map(header).collect();
        drop(self.session.send(fulfilled(id, status, headers, body)));
    }

    /// Lets a request fail, as if its server could not be reached.
    pub fn refuse(&self, id: &str) {
        drop(self.session.send(fetch::FailRequest { request_id: id, error_reason: "Failed" }));
    }

    /// Tells the browser to go to an address, without waiting for anything.
    pub fn set_out_for(&self, url: &str) {
        drop(self.session.send(page::Navigate { url }));
    }

    /// Returns when another document than `before` is there.
    pub async fn until_replaced(&self, before: Option<String>) {
        self.events.until(|state| (state.ended || state.documents.document != before).then_some(())).await;
    }
}
