//! The requests of a page under execution: which of them are events, and what each is answered with.

use colobus_browser::{ResourceType, StoppedRequest, scripts};
use colobus_model::UrlParts;
use colobus_race::model::{EventKind, EventName, Request, Resource, ScriptTiming};
use colobus_race::recorded::RecordedAnswer;
use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::registry::{HeldAnswer, Registration, Release};
use super::rewriting::Source;
use super::run::Run;
use crate::settling::limits::SERVER_LIMIT;

/// What `held.timing` answers.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PageTiming {
    Module,
    Async,
    Deferred,
    Blocking,
}

/// Headers that describe the bytes as they were sent, not those that the page gets.
const OF_THE_JOURNEY: [&str; 4] =
    ["content-encoding", "content-length", "transfer-encoding", "content-security-policy"];

/// A request that its server has not answered yet.
pub struct Asked {
    request: StoppedRequest,
    at: Instant,
    /// The moment of the page's clock, and the event that ran.
    sent: f64,
    creator: Option<EventName>,
    /// How long the same answer took in the recording, in milliseconds.
    latency: Option<u64>,
}

impl Run<'_> {
    /// Takes what the page has sent; true if it has sent something.
    pub(super) async fn take_requests(&mut self) -> Result<bool, WorldError> {
        let stopped = self.page.take_stopped();
        let came = !stopped.is_empty();
        for request in stopped {
            match request.response {
                Some(_) => self.server_answered(request).await?,
                None => self.request(request).await?,
            }
        }
        Ok(came)
    }

    /// Returns when all servers have answered; true if one had to.
    pub(super) async fn servers_answered(&mut self) -> Result<bool, WorldError> {
        let asked = !self.asked.is_empty();
        while let Some(oldest) = self.asked.first() {
            let limit = SERVER_LIMIT.saturating_sub(oldest.at.elapsed());
            if timeout(limit, self.page.until_stopped()).await.is_err() || self.page.is_closed() {
                let late = self.asked.remove(0);
                let seconds = SERVER_LIMIT.as_secs();
                self.notes.insert(format!("{} was not answered within {seconds} s", late.request.url));
                self.page.refuse(&late.request.id);
                continue;
            }
            self.take_requests().await?;
        }
        Ok(asked)
    }

    async fn request(&mut self, request: StoppedRequest) -> Result<(), WorldError> {
        if request.url == self.sentinel {
            let event = self.registry.register(Registration::new(EventKind::Load, None));
            let release = Release::Load { request: request.id, network_id: request.network_id };
            // As timers and messages, which the page dates itself.
            self.registry.wait(event, release, self.page_now);
            return Ok(());
        }
        let is_document = request.resource_type == ResourceType::Document && request.in_main_frame;
        let is_first = self.document.as_ref().is_none_or(|known| self.ran.is_empty() && *known == request.network_id);
        if is_document && !is_first {
            self.count(&request);
            self.page.refuse(&request.id);
            self.left_for = Some(request.url);
            return Ok(());
        }
        if is_document {
            self.document = Some(request.network_id.clone());
        }
        if self.sources.wants(&request.url) {
            self.page.ask_server(&request.id);
            let (sent, creator, latency) = (self.now, None, None);
            self.asked.push(Asked { request, at: Instant::now(), sent, creator, latency });
            return Ok(());
        }
        match request.resource_type {
            ResourceType::EventSource if self.reach.includes(&request.url) => {
                self.page.let_through(&request.id);
                return Ok(());
            }
            ResourceType::Xhr | ResourceType::Fetch | ResourceType::Ping => self.count(&request),
            _ => {}
        }
        if request.lacks_body {
            self.notes.insert(format!(
                "the body of {} {} is not known, it is long or holds files: requests that differ only in it count as equal",
                request.method, request.url
            ));
        }
        let sent = RecordedAnswer::digest_of(&request.body);
        let known = self.answers.take(&request.method, &request.url, sent).cloned();
        match known {
            Some(answer) if !self.asks_again(&request.url) => {
                self.hold(request, &answer, self.now, self.current.clone()).await
            }
            None if !self.reach.includes(&request.url) => {
                self.notes.insert(format!(
                    "{} {} was not recorded, and leads elsewhere: refused",
                    request.method, request.url
                ));
                self.page.refuse(&request.id);
                Ok(())
            }
            known => {
                if self.recorded.is_some() && known.is_none() {
                    self.notes
                        .insert(format!("{} {} was not recorded: its server was asked", request.method, request.url));
                }
                self.page.ask_server(&request.id);
                let (sent, creator) = (self.now, self.current.clone());
                let latency = known.map(|answer| answer.latency);
                self.asked.push(Asked { request, at: Instant::now(), sent, creator, latency });
                Ok(())
            }
        }
    }

    /// Whether a server is asked although its answer was recorded.
    fn asks_again(&self, url: &str) -> bool {
        self.recorded.is_some_and(|recorded| recorded.live) && self.reach.includes(url)
    }

    /// Servers see these.
    fn count(&mut self, request: &StoppedRequest) {
        let (method, address) = (request.method.clone(), self.address(&request.url));
        let body = RecordedAnswer::digest_of(&request.body);
        *self.requests.entry(Request { method, address, body }).or_insert(0) += 1;
    }

    async fn server_answered(&mut self, request: StoppedRequest) -> Result<(), WorldError> {
        let place = self.asked.iter().position(|asked| asked.request.network_id == request.network_id);
        let (Some(place), Some(response)) = (place, request.response.clone()) else {
            self.page.let_through(&request.id);
            return Ok(());
        };
        let Asked { at, sent, creator, latency, .. } = self.asked.remove(place);
        let is_map = self.sources.wants(&request.url);
        if is_map && (response.error.is_some() || response.status != 200) {
            self.notes.insert(format!("the source map {} cannot be had", request.url));
            self.page.refuse(&request.id);
            return Ok(());
        }
        if let Some(error) = response.error {
            self.notes.insert(format!("{} could not be loaded: {error}", request.url));
            self.page.refuse(&request.id);
            return Ok(());
        }
        let mut answer = RecordedAnswer {
            method: request.method.clone(),
            url: request.url.clone(),
            sent: RecordedAnswer::digest_of(&request.body),
            status: response.status,
            headers: response.headers,
            body: Vec::new(),
            latency: latency.unwrap_or_else(|| u64::try_from(at.elapsed().as_millis()).unwrap_or(u64::MAX)),
        };
        answer.headers.retain(|(name, _)| !OF_THE_JOURNEY.iter().any(|other| name.eq_ignore_ascii_case(other)));
        if !answer.is_redirect() && has_body(&request.method, response.status) {
            answer.body = match self.page.response_body(&request.id).await {
                // The page has given the request up, or its connection broke.
                Err(WorldError::Interrupted(problem)) => {
                    self.notes.insert(format!("the answer of {} could not be read: {problem}", request.url));
                    self.page.refuse(&request.id);
                    return Ok(());
                }
                read => read?,
            };
        }
        self.fresh.push(answer.clone());
        if is_map {
            if !self.sources.add_map(&request.url, &answer.body) {
                self.notes.insert(format!("the source map {} cannot be read", request.url));
            }
            self.page.refuse(&request.id);
            return Ok(());
        }
        self.hold(request, &answer, sent, creator).await
    }

    /// Makes an answer an event that waits, or gives it at once if it is none.
    async fn hold(
        &mut self,
        request: StoppedRequest,
        answer: &RecordedAnswer,
        sent: f64,
        creator: Option<EventName>,
    ) -> Result<(), WorldError> {
        let resource = match self.resource(&request).await? {
            Some(resource) if !answer.is_redirect() => resource,
            _ => {
                self.page.answer(&request.id, answer.status, &answer.headers, &answer.body);
                return Ok(());
            }
        };
        let kind = match resource {
            Use::Document => EventKind::Chunk { number: 1 },
            Use::Resource(resource) => {
                let (method, address) = (request.method.clone(), self.address(&request.url));
                EventKind::Response { resource, method, address }
            }
        };
        let is_data = matches!(&kind, EventKind::Response { resource, .. } if resource.is_data());
        let blocks_parser = matches!(
            &kind,
            EventKind::Response { resource: Resource::Style | Resource::Script(ScriptTiming::Blocking), .. }
        );
        let source = match &kind {
            EventKind::Chunk { .. } => Some(Source::Document),
            // Those of other origins may live in processes of their own, without what rewritten code calls.
            EventKind::Response { resource: Resource::Frame, .. } if self.is_own(&request.url) => {
                Some(Source::Document)
            }
            EventKind::Response { resource: Resource::Script(_), .. } => Some(Source::Script),
            EventKind::Response { resource: Resource::Module, .. } => Some(Source::Module),
            _ => None,
        };
        let runs_at_once = matches!(&kind, EventKind::Response { resource: Resource::Script(ScriptTiming::Async), .. });
        if matches!(source, Some(Source::Script | Source::Module)) {
            self.learn_source(&request.url, &answer.body);
        }
        let mut registration = Registration::new(kind, creator);
        registration.blocks_load = !self.loaded && !is_data && !matches!(resource, Use::Document);
        let event = self.registry.register(registration);
        let body = match (self.rewriter, source) {
            (Some(rewriter), Some(source)) if answer.status < 400 => {
                let mut rewriter = rewriter.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                rewriter.rewritten(&request.url, &answer.body, source, self.sources.map(&request.url).as_deref())
            }
            _ => answer.body.clone().into(),
        };
        let held = HeldAnswer {
            request: request.id,
            network_id: request.network_id,
            status: answer.status,
            headers: answer.headers.clone(),
            body,
            blocks_parser,
            script: runs_at_once.then_some(request.url),
        };
        self.registry.wait(event, Release::Answer(held), sent + answer.latency as f64);
        Ok(())
    }

    /// Takes note of a script and its map, which the page itself is made to ask for while it is recorded.
    fn learn_source(&mut self, url: &str, body: &[u8]) {
        let Some(address) = self.sources.add(url, body) else { return };
        match self.recorded {
            Some(recorded) => {
                if let Some(known) = recorded.answers.iter().find(|answer| answer.url == address) {
                    self.sources.add_map(&address, &known.body);
                }
            }
            None => self.page.start(&format!("void fetch({}).catch(() => {{}})", json!(address))),
        }
    }

    /// What a request is for; `None` if it is no event.
    async fn resource(&mut self, request: &StoppedRequest) -> Result<Option<Use>, WorldError> {
        Ok(Some(Use::Resource(match request.resource_type {
            ResourceType::Document if request.in_main_frame => return Ok(Some(Use::Document)),
            ResourceType::Document => Resource::Frame,
            ResourceType::Xhr => Resource::Xhr,
            ResourceType::Fetch => Resource::Fetch,
            ResourceType::Stylesheet => Resource::Style,
            ResourceType::Image => Resource::Image,
            ResourceType::Font => Resource::Font,
            ResourceType::Script => {
                let timing = self.page.ask("held.timing", &[json!(request.url)]).await?;
                match scripts::read::<Option<PageTiming>>("held.timing", timing)? {
                    Some(PageTiming::Module) => Resource::Module,
                    Some(PageTiming::Async) => Resource::Script(ScriptTiming::Async),
                    Some(PageTiming::Deferred) => Resource::Script(ScriptTiming::Deferred),
                    // The browser asks for some scripts before their elements are parsed.
                    Some(PageTiming::Blocking) | None => Resource::Script(ScriptTiming::Blocking),
                }
            }
            _ => return Ok(None),
        })))
    }

    /// A page that waits for a synchronous request cannot do anything else: the request is answered at once.
    pub(super) async fn answer_synchronous(&mut self) -> Result<(), WorldError> {
        let stopped = self.page.take_stopped();
        for request in stopped {
            if request.resource_type != ResourceType::Xhr || request.response.is_some() {
                continue;
            }
            self.count(&request);
            self.notes.insert(format!("{} is asked for synchronously: its answer comes at once", request.url));
            let sent = RecordedAnswer::digest_of(&request.body);
            let asks_again = self.asks_again(&request.url);
            match self.answers.take(&request.method, &request.url, sent) {
                Some(answer) if !asks_again => {
                    self.page.answer(&request.id, answer.status, &answer.headers, &answer.body);
                }
                _ => self.page.let_through(&request.id),
            }
        }
        Ok(())
    }

    /// The address as names of events say it: the path, if it is of the page's own server.
    fn address(&self, url: &str) -> String {
        match UrlParts::of(url) {
            Some(parts) if self.is_own(url) => parts.rest.to_string(),
            _ => url.to_string(),
        }
    }

    /// Whether an address is of the page's own server.
    fn is_own(&self, url: &str) -> bool {
        origin(url).is_some() && origin(url) == origin(self.url)
    }
}

fn origin(url: &str) -> Option<&str> {
    UrlParts::of(url).map(|parts| parts.origin())
}

#[derive(Clone, Copy)]
enum Use {
    Document,
    Resource(Resource),
}

/// Whether an answer with this status has a body.
fn has_body(method: &str, status: u16) -> bool {
    method != "HEAD" && !matches!(status, 204 | 205 | 304)
}
