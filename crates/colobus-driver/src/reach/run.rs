//! One run in a page: opening it, and the data that goes in and out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use colobus_browser::{Page, ResourceType};
use colobus_reach::crawl::{Move, Offered};
use colobus_reach::line::Line;
use colobus_reach::observation::Observation;
use colobus_reach::symbolic::expr::Source;
use colobus_reach::symbolic::value::{Kind, Value as Primitive};
use colobus_record::Origin;
use colobus_world::{Offer, OfferKind, WorldError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tracing::debug;

use super::{BrowserEvent, PageEvents, ReachBrowser};
use crate::explorer::PageOffer;
use crate::settling::limits::SERVER_LIMIT;

/// What the page's script calls loading the document again, which it cannot do by itself.
pub const RELOAD: &str = "reload";
/// What the events are called that are answers; the rest says to which request.
const ANSWER_OF: &str = "answer of ";
/// Names of events are cut.
const LONGEST_NAME: usize = 40;

/// What `reach.start` answers.
#[derive(Deserialize)]
pub struct PageStart {
    pub state: BTreeMap<Arc<str>, Primitive>,
    /// The sites that opening the page has run.
    pub log: Vec<u32>,
    pub offers: Vec<ToldEvent>,
}

/// The part of what `reach.perform` answers that says what can be done next.
#[derive(Deserialize)]
pub struct PageOffers {
    pub offers: Vec<ToldEvent>,
    /// Requests whose answers have not arrived: method and path, and the values that they have of what they depend on.
    #[serde(default)]
    pub sent: Vec<(String, Vec<(String, Value)>)>,
}

/// An event that the page offers, as its script tells it.
#[derive(Deserialize)]
pub struct ToldEvent {
    key: String,
    followed: bool,
    #[serde(flatten)]
    what: Offering,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Offering {
    Timer { timer: PageTimer },
    Answer { answer: String },
    Browser { browser: BrowserEvent },
    Offer { offer: Box<PageOffer> },
}

#[derive(Deserialize)]
struct PageTimer {
    /// Nothing if code set it that runs as it is.
    site: Option<u32>,
    /// Nothing if it is infinite, which browsers take for none.
    delay: Option<f64>,
}

/// What events are called, and which types variables were seen with.
#[derive(Default)]
pub struct Names {
    by_key: BTreeMap<String, Arc<str>>,
    keys: BTreeMap<Arc<str>, String>,
    pub(super) events: PageEvents,
    kinds: BTreeMap<Arc<str>, BTreeSet<Kind>>,
    /// What was sent in some run, by method and path, and by what it depends on.
    asked: BTreeMap<String, BTreeMap<String, Vec<Value>>>,
}

impl Names {
    /// What the page offers, by a name that no other event has. A timer is named by the place that set it.
    pub fn offered(&mut self, told: ToldEvent, sites: &dyn Fn(u32) -> Option<Line>) -> Option<Offered> {
        let ToldEvent { key, followed, what } = told;
        let offer = match what {
            Offering::Timer { timer: PageTimer { site, delay } } => {
                return Some(self.offered_timer(&key, sites(site?)?, delay));
            }
            Offering::Answer { answer } => return Some(self.offered_answer(key, &answer)),
            Offering::Browser { browser } => return Some(self.offered_by_browser(key, browser)),
            Offering::Offer { offer } => offer.read()?,
        };
        let name = match self.by_key.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = self.new_name(&offer);
                self.by_key.insert(key.clone(), name.clone());
                name
            }
        };
        let kind = offer.kind.name().to_string();
        let element = offer.element.hops.iter().map(|hop| hop.path.to_string()).collect::<Vec<_>>().join(" > ");
        // The first description has the value that the field had then.
        self.keys.entry(name.clone()).or_insert(key);
        self.events.offers.entry(name.clone()).or_insert(offer);
        Some(Offered { event: name, kind, element, is_followed: followed, is_due: false })
    }

    fn offered_by_browser(&mut self, key: String, browser: BrowserEvent) -> Offered {
        let event: Arc<str> = browser.name().into();
        self.keys.insert(event.clone(), key.clone());
        self.events.browser.insert(event.clone(), browser);
        Offered { event, kind: key, element: "page".to_string(), is_followed: true, is_due: false }
    }

    fn offered_answer(&mut self, key: String, request: &str) -> Offered {
        let event: Arc<str> = plain(&format!("{ANSWER_OF}{request}")).into();
        self.keys.insert(event.clone(), key);
        self.events.answers.insert(event.clone());
        Offered { event, kind: "answer".to_string(), element: request.to_string(), is_followed: true, is_due: true }
    }

    fn offered_timer(&mut self, key: &str, line: Line, delay: Option<f64>) -> Offered {
        let element = line.to_string();
        let known = self.by_key.get(key).cloned();
        let event =
            known.unwrap_or_else(|| self.free_name(&plain(&format!("timer of {} line {}", line.file, line.number))));
        self.by_key.insert(key.to_string(), event.clone());
        self.keys.insert(event.clone(), key.to_string());
        let delay = delay.unwrap_or_default().clamp(0.0, 60_000.0);
        self.events.timers.entry(event.clone()).or_insert(delay as u64);
        Offered { event, kind: "timer".to_string(), element, is_followed: true, is_due: false }
    }

    fn new_name(&self, offer: &Offer) -> Arc<str> {
        let verb = match offer.kind {
            OfferKind::Fill | OfferKind::Set => "enter",
            OfferKind::Choose => "choose",
            other => other.name(),
        };
        let said = if offer.name.is_empty() { offer.element.tag() } else { &offer.name };
        let said: String = said.chars().take(LONGEST_NAME).collect();
        self.free_name(&plain(&format!("{verb} {said}")))
    }

    fn free_name(&self, base: &str) -> Arc<str> {
        let taken = |name: &str| self.keys.contains_key(name);
        let mut numbered = (2..).map(|number| format!("{base} ({number})"));
        let name = if taken(base) { numbered.find(|name| !taken(name)) } else { None };
        name.unwrap_or_else(|| base.to_string()).into()
    }

    pub fn learn(&mut self, observation: &Observation) {
        self.learn_state(&observation.entry);
    }

    pub fn learn_state(&mut self, state: &BTreeMap<Arc<str>, Primitive>) {
        for (name, value) in state {
            self.kinds.entry(name.clone()).or_default().insert(value.kind());
        }
    }

    /// What requests were sent with; the first comes first ever after.
    pub fn learn_sent(&mut self, sent: Vec<(String, Vec<(String, Value)>)>) {
        for (request, values) in sent {
            let known = self.asked.entry(request).or_default();
            for (expr, value) in values {
                let known = known.entry(expr).or_default();
                if !known.contains(&value) {
                    known.push(value);
                }
            }
        }
    }

    /// What the page is told of a move.
    pub fn arguments(&self, step: &Move) -> Value {
        let mut before = Map::new();
        let mut parameter = Value::Null;
        for (variable, value) in &step.before {
            match variable.source {
                Source::State => {
                    before.insert(variable.name.to_string(), json!(value));
                }
                Source::Event(_) => parameter = json!(value.to_text().to_string()),
            }
        }
        let kinds: Map<String, Value> =
            self.kinds.iter().map(|(name, kinds)| (name.to_string(), json!(kinds))).collect();
        let key = self.keys.get(&step.event).map(String::as_str).unwrap_or_default();
        let asked: Map<String, Value> =
            self.asked.iter().map(|(request, sent)| (request.clone(), json!(sent))).collect();
        json!({ "key": key, "options": { "before": before, "value": parameter, "kinds": kinds, "asked": asked } })
    }
}

/// A name as the file of a model can have it.
fn plain(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() || ":\"=#|".contains(c) { ' ' } else { c }).collect();
    plain.replace("->", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

impl ReachBrowser {
    /// Opens the page and answers its requests until it has none.
    pub(super) async fn load(&mut self, page: &Page) -> Result<(), WorldError> {
        let (begun, url) = (Instant::now(), self.options.url.clone());
        // The last document ends first: what it still wants does not leave.
        page.navigate("about:blank").await?;
        page.take_stopped().iter().for_each(|request| page.refuse(&request.id));
        if let Some(origin) = Origin::of(&url) {
            page.empty_origin(&origin.to_string()).await?;
        }
        self.answer_until(page, page.navigate(&url)).await?;
        for address in self.sources.take_wanted_maps() {
            // A map that cannot be had is none.
            let fetched = async { page.ask("reach.fetched", &[json!(address)]).await.map(|_| ()) };
            self.answer_until(page, fetched).await?;
        }
        debug!(target: "settling", milliseconds = begun.elapsed().as_millis(), "an instrumented page is open");
        Ok(())
    }

    /// Loads the document once more; what it has stored stays.
    pub(super) async fn reload(&mut self, page: &Page) -> Result<(), WorldError> {
        self.answer_until(page, page.reload()).await
    }

    /// Answers requests until a document is there and asks for nothing more.
    async fn answer_until(
        &mut self,
        page: &Page,
        opening: impl Future<Output = Result<(), WorldError>>,
    ) -> Result<(), WorldError> {
        let mut opening = std::pin::pin!(opening);
        loop {
            tokio::select! {
                opened = &mut opening => {
                    opened?;
                    break;
                }
                () = page.until_stopped() => self.answer(page).await?,
            }
        }
        // What its scripts ask for right away belongs to opening it.
        loop {
            page.catch_up().await?;
            page.all_stopped().await;
            if !self.answer_all(page).await? {
                return Ok(());
            }
            debug!(target: "settling", "again: the page asked for more while it opened");
        }
    }

    async fn answer_all(&mut self, page: &Page) -> Result<bool, WorldError> {
        let stopped = page.take_stopped();
        let came = !stopped.is_empty();
        for request in stopped {
            if request.response.is_some() || request.method != "GET" {
                self.serve(page, request).await?;
                continue;
            }
            let (network_id, is_known) = (request.network_id.clone(), self.sources.get(&request.url).is_some());
            self.serve(page, request).await?;
            if !is_known {
                let _ = tokio::time::timeout(SERVER_LIMIT, page.until_stopped()).await;
                self.answer(page).await?;
            }
            let _ = tokio::time::timeout(SERVER_LIMIT, page.answered(&network_id)).await;
        }
        Ok(came)
    }

    async fn answer(&mut self, page: &Page) -> Result<(), WorldError> {
        for request in page.take_stopped() {
            self.serve(page, request).await?;
        }
        Ok(())
    }

    /// Answers from what is known; the server is asked once for each address.
    pub(super) async fn serve(
        &mut self,
        page: &Page,
        request: colobus_browser::StoppedRequest,
    ) -> Result<(), WorldError> {
        if let Some(response) = request.response {
            if let Some(reason) = response.error {
                page.refuse(&request.id);
                if request.in_main_frame && request.resource_type == ResourceType::Document {
                    return Err(WorldError::CannotRun(format!("{} could not be loaded: {reason}", request.url)));
                }
            } else if (300..400).contains(&response.status) {
                page.let_through(&request.id);
            } else {
                let body = page.response_body(&request.id).await?;
                // The document of a frame runs as it is.
                let is_frame = request.resource_type == ResourceType::Document && !request.in_main_frame;
                let use_ = if is_frame { ResourceType::Other } else { request.resource_type };
                let source = self.sources.keep(&request.url, use_, response.status, response.headers, &body);
                page.answer(&request.id, source.status, &source.headers, &source.body);
            }
            return Ok(());
        }
        match self.sources.get(&request.url) {
            _ if request.method != "GET" => {
                self.refused.insert(format!("{} {}", request.method, request.url));
                page.refuse(&request.id);
            }
            Some(source) => page.answer(&request.id, source.status, &source.headers, &source.body),
            None => page.ask_server(&request.id),
        }
        Ok(())
    }
}
