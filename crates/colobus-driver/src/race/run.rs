//! [`Run`]: one execution of a page. Every event waits until it is released; after each release the page runs until
//! nothing is left to do, and what was registered meanwhile becomes an event that waits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use colobus_browser::{Evaluated, Lookup, Page, scripts};
use colobus_model::Invariant;
use colobus_race::model::{EventKind, EventName, Executed, NotRun, PageEvent, Request, Site};
use colobus_race::recorded::{Answers, RecordedAnswer, RecordedMessage, RecordedPage, UserStep};
use colobus_record::Reach;
use colobus_script::{Log, Position};
use colobus_world::WorldError;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};
use tracing::debug;

use super::accesses::{AccessNames, NumberedAccesses};
use super::needed_elements::{needed_elements, pointed_at};
use super::page_report::{CallbackKind, Cancelled, NewCallback, NewMessage, PageReport, PageSite, Sent};
use super::registry::{HeldAnswer, Registration, Registry, Release, Waiting};
use super::requests::Asked;
use super::rewriting::Rewriter;
use super::sources::Sources;
use crate::settling::limits::{PARSE_LIMIT, SYNCHRONOUS_REQUEST};

/// One execution under way.
pub struct Run<'a> {
    pub page: &'a Page,
    /// The address that was asked for.
    pub url: &'a str,
    /// The address of the picture that `load` waits for.
    pub sentinel: String,
    /// What is known from the recording; none while recording.
    pub recorded: Option<&'a RecordedPage>,
    pub answers: Answers<'a>,
    /// Where requests may go that were not recorded.
    pub reach: Reach,
    /// Rewrites code; none where the page runs as it is.
    pub rewriter: Option<&'a Mutex<Rewriter>>,
    pub registry: Registry,
    /// What has to be true in the end.
    pub invariants: &'a [Invariant],
    pub steps: Vec<UserStep>,
    /// How many of the steps were done or left out.
    pub steps_done: usize,
    /// The event that runs, or ran last.
    pub current: Option<EventName>,
    /// The page's clock, in milliseconds, or the moment of the event that runs if that is later.
    pub now: f64,
    /// The page's clock when it was asked last. It begins with the document, however long that took to come.
    pub page_now: f64,
    pub ran: Vec<Executed>,
    pub not_run: Vec<NotRun>,
    pub skipped: Vec<EventName>,
    pub notes: BTreeSet<String>,
    pub requests: BTreeMap<Request, u32>,
    /// Requests that their servers have not answered yet.
    pub asked: Vec<Asked>,
    /// Answers that were asked for in this execution.
    pub fresh: Vec<RecordedAnswer>,
    /// What sockets and streams brought in this execution.
    pub messages: Vec<RecordedMessage>,
    /// The document's request, once it was seen.
    pub document: Option<String>,
    pub loaded: bool,
    /// Where the page wanted to go: its execution ends there.
    pub left_for: Option<String>,
    /// How positions in scripts are called.
    pub sources: Sources,
    /// A script whose answer has come, and how often it had run before.
    about_to_run: Option<(String, Value)>,
    pub names: AccessNames,
    pub touched: BTreeMap<EventName, NumberedAccesses>,
    /// What the event that runs has cancelled.
    disabled_now: Vec<EventName>,
    /// The event of each callback, also of those that have run.
    callbacks: BTreeMap<u64, EventName>,
}

impl<'a> Run<'a> {
    pub fn new(
        page: &'a Page,
        url: &'a str,
        sentinel: String,
        recorded: Option<&'a RecordedPage>,
        rewriter: Option<&'a Mutex<Rewriter>>,
    ) -> Run<'a> {
        Run {
            page,
            url,
            sentinel,
            recorded,
            answers: Answers::new(recorded.map(|recorded| &recorded.answers[..]).unwrap_or_default()),
            reach: Reach::Anywhere,
            rewriter,
            registry: Registry::new(recorded.map(|recorded| &recorded.execution)),
            invariants: recorded.map(|recorded| &recorded.invariants[..]).unwrap_or_default(),
            steps: recorded.map(|recorded| recorded.steps.clone()).unwrap_or_default(),
            steps_done: 0,
            current: None,
            now: 0.0,
            page_now: 0.0,
            ran: Vec::new(),
            not_run: Vec::new(),
            skipped: Vec::new(),
            notes: BTreeSet::new(),
            requests: BTreeMap::new(),
            asked: Vec::new(),
            fresh: Vec::new(),
            messages: Vec::new(),
            sources: Sources::default(),
            about_to_run: None,
            document: None,
            loaded: false,
            left_for: None,
            names: AccessNames::default(),
            touched: BTreeMap::new(),
            disabled_now: Vec::new(),
            callbacks: BTreeMap::new(),
        }
    }

    /// Sets out for the page. Returns when its document waits to be released.
    pub async fn start(&mut self) -> Result<(), WorldError> {
        self.page.set_out_for(self.url);
        let deadline = Instant::now() + PARSE_LIMIT;
        while self.registry.waiting.is_empty() {
            let stopped = tokio::time::timeout_at(deadline, self.page.until_stopped()).await;
            if stopped.is_err() || self.page.is_closed() {
                return Err(WorldError::CannotRun(format!("{} could not be loaded: no answer came", self.url)));
            }
            self.take_requests().await?;
            self.servers_answered().await?;
            if let Some(problem) = self.notes.iter().next().filter(|_| self.registry.waiting.is_empty()) {
                return Err(WorldError::CannotRun(problem.clone()));
            }
        }
        Ok(())
    }

    /// Releases the event at this place and waits until nothing is left to do.
    pub async fn release(&mut self, index: usize, planned: bool) -> Result<(), WorldError> {
        let Waiting { event, release, due } = self.registry.waiting.remove(index);
        let recorded = self.recorded.and_then(|recorded| recorded.moment(&event.name)).map(|at| at as f64);
        let moment = if event.is_timer() { due } else { recorded.unwrap_or(due) };
        let executed = self.begin(event, moment, planned).await?;
        match release {
            Release::Answer(answer) => self.answer(answer).await?,
            Release::Load { request, network_id } => {
                self.page.answer(&request, 204, &[], b"");
                self.page.answered(&network_id).await;
            }
            Release::Callback { id } => {
                self.page.ask("held.fire", &[json!(id)]).await?;
            }
        }
        self.settle().await?;
        self.finish(executed).await
    }

    async fn answer(&mut self, answer: HeldAnswer) -> Result<(), WorldError> {
        let is_document = self.ran.is_empty();
        let before = self.page.document();
        if let Some(url) = answer.script {
            let times = self.page.ask("held.timesRun", &[json!(url)]).await?;
            self.about_to_run = Some((url, times));
        }
        self.page.answer(&answer.request, answer.status, &answer.headers, &answer.body);
        if is_document {
            let replaced = timeout(PARSE_LIMIT, self.page.until_replaced(before)).await;
            if replaced.is_err() {
                return Err(WorldError::Interrupted(format!("{} did not show its document", self.url)));
            }
        }
        self.page.answered(&answer.network_id).await;
        Ok(())
    }

    /// Does the next step of the user; `Err` with the reason if a user could not do it now.
    pub async fn step(&mut self, planned: bool) -> Result<Result<(), String>, WorldError> {
        // A page on its way to its first document answers nothing.
        if self.ran.is_empty() {
            return Ok(Err("its document is not there yet".to_string()));
        }
        let UserStep { action, step, at } = self.steps[self.steps_done].clone();
        let number = u32::try_from(self.steps_done + 1).unwrap_or(u32::MAX);
        let aimed = match self.page.aim(&step, Lookup::Held).await? {
            Ok(aimed) => aimed,
            Err(problem) => return Ok(Err(problem)),
        };
        self.page.ask("held.aim", &[json!(pointed_at(&step).first())]).await?;
        let mut needs: Vec<String> = Vec::new();
        for element in &needed_elements(&step) {
            let makers = self.page.ask("held.makers", &[json!(element)]).await?;
            needs.extend(scripts::read::<Vec<String>>("held.makers", makers)?);
        }
        self.steps_done += 1;
        let mut registration = Registration::new(EventKind::Step { number, action }, None);
        registration.needs = needs.into_iter().map(EventName::from).collect();
        let event = self.registry.register(registration);
        let recorded = self.recorded.and_then(|recorded| recorded.moment(&event.name));
        let executed = self.begin(event, recorded.unwrap_or(at) as f64, planned).await?;
        // What its JavaScript throws is part of what the page came to, like any exception.
        self.page.act(aimed).await?;
        self.page.ask("held.acted", &[]).await?;
        self.settle().await?;
        self.finish(executed).await.map(Ok)
    }

    async fn begin(&mut self, event: PageEvent, moment: f64, planned: bool) -> Result<Executed, WorldError> {
        self.now = self.now.max(moment);
        // The document names its event itself: it is not there yet.
        if self.current.is_some() {
            self.page.ask("held.begin", &[json!(event.name), json!(self.now)]).await?;
        }
        self.current = Some(event.name.clone());
        let at = self.now.round() as u64;
        Ok(Executed { event, planned, at, accesses: Vec::new(), touched: None, disables: Vec::new(), opaque: None })
    }

    pub async fn finish(&mut self, mut executed: Executed) -> Result<(), WorldError> {
        if let Some(rewriter) = self.rewriter {
            let log = self.page.ask("held.log", &[]).await?;
            let log: Log = serde_json::from_value(log).map_err(|error| {
                WorldError::Interrupted(format!("the log of the page's accesses cannot be read: {error}"))
            })?;
            let rewriter = rewriter.lock().unwrap_or_else(PoisonError::into_inner);
            let name = executed.event.name.clone();
            let numbered = self.names.numbered(&name, &log, &rewriter.sites);
            if numbered.anything {
                executed.opaque = Some("it ran code that was not rewritten".to_string());
            }
            // What the browser drew after an event is added to it.
            self.touched.entry(name).or_default().accesses.extend(numbered.accesses);
        }
        executed.disables.append(&mut self.disabled_now);
        self.ran.push(executed);
        Ok(())
    }

    /// Returns when the page has nothing left to do but what is held.
    pub async fn settle(&mut self) -> Result<(), WorldError> {
        let begun = Instant::now();
        loop {
            let report = self.drain().await?;
            self.page.all_stopped().await;
            let quiet = report.news.is_empty() && report.cancelled.is_empty();
            let parsing = report.parsing;
            self.take_report(report);
            let came = self.take_requests().await?;
            let answered = self.servers_answered().await?;
            let waits_for_parser = parsing && !self.registry.blocks_parser() && begun.elapsed() < PARSE_LIMIT;
            if quiet && !came && !answered && !waits_for_parser {
                break;
            }
            debug!(target: "settling", registered = !quiet, came, answered, waits_for_parser, "again: an event goes on");
        }
        let event = self.current.as_ref().map(EventName::as_str);
        debug!(target: "settling", milliseconds = begun.elapsed().as_millis(), event, "a raced page came to rest");
        self.drop_aborted();
        Ok(())
    }

    /// Asks the page until it has run all tasks that are ready. A synchronous request, for which it waits, is answered.
    async fn drain(&mut self) -> Result<PageReport, WorldError> {
        let drain = match self.about_to_run.take() {
            Some((script, times)) => scripts::call("held.drain", &[json!(script), times]),
            None => scripts::call("held.drain", &[]),
        };
        let answer = self.page.evaluate(&drain, self.page.limit());
        tokio::pin!(answer);
        let value = loop {
            match timeout(SYNCHRONOUS_REQUEST, &mut answer).await {
                Ok(answer) => break answer?,
                Err(_) => self.answer_synchronous().await?,
            }
        };
        let value = match value {
            Evaluated::Value(value) => value,
            Evaluated::Threw(message) => return Err(WorldError::Interrupted(message)),
        };
        serde_json::from_value(value)
            .map_err(|error| WorldError::Interrupted(format!("the page's report cannot be read: {error}")))
    }

    fn take_report(&mut self, report: PageReport) {
        self.now = self.now.max(report.now);
        self.page_now = report.now;
        self.loaded |= report.loaded;
        for Sent { of, data } in report.sent {
            let request = Request { method: "SEND".into(), address: of, body: RecordedAnswer::digest_of(&data) };
            *self.requests.entry(request).or_insert(0) += 1;
        }
        for Cancelled { id, by } in report.cancelled {
            let by = EventName::from(by);
            if let Some(name) = self.callbacks.get(&id).cloned() {
                self.disabled_now.push(name);
            }
            if let Some(index) = self.registry.callback(id) {
                let event = self.registry.waiting.remove(index).event;
                self.not_run.push(NotRun { event, disabled_by: Some(by) });
            }
        }
        for callback in report.news {
            let NewCallback { id, kind, delay, due, by, site, tick, message } = callback;
            let creator = EventName::from(by);
            let site = site.map(|site| self.called(&site));
            let kind = match kind {
                CallbackKind::Interval => {
                    let at = site.as_ref().map(ToString::to_string).unwrap_or_default();
                    EventKind::Interval { registration: format!("{creator} {at} {id}"), tick }
                }
                CallbackKind::Frame => EventKind::AnimationFrame,
                CallbackKind::Idle => EventKind::IdleCallback,
                CallbackKind::Timer | CallbackKind::Message => match message {
                    Some(NewMessage { channel, of, number, recorded }) => {
                        self.messages.extend(recorded);
                        EventKind::Message { channel, of, number }
                    }
                    None => EventKind::Timer,
                },
            };
            // How long a message takes is up to its server.
            let is_message = matches!(kind, EventKind::Message { .. });
            let mut registration = Registration::new(kind, Some(creator));
            registration.site = site;
            registration.delay = (!is_message).then(|| delay.max(0.0) as u64);
            let event = self.registry.register(registration);
            self.callbacks.insert(id, event.name.clone());
            self.registry.wait(event, Release::Callback { id }, due);
        }
    }

    /// Whether a socket or a stream brings something more, after it had some time for it.
    pub async fn hears_more(&mut self) -> Result<bool, WorldError> {
        let heard: bool = scripts::read("held.listen", self.page.ask("held.listen", &[]).await?)?;
        if heard {
            self.settle().await?;
        }
        Ok(heard)
    }

    /// What a position that the page told of is called.
    fn called(&self, PageSite { url, line, column }: &PageSite) -> Site {
        let told = Position { line: *line, column: *column };
        let sent = match self.rewriter {
            Some(rewriter) => rewriter.lock().unwrap_or_else(PoisonError::into_inner).original(url, told),
            None => told,
        };
        self.sources.site(url, sent)
    }

    /// Answers whose requests the page has given up.
    fn drop_aborted(&mut self) {
        let (page, current) = (self.page, self.current.clone());
        let is_gone = |waiting: &Waiting| match &waiting.release {
            Release::Answer(answer) => !page.is_open(&answer.network_id),
            _ => false,
        };
        let (gone, kept) = std::mem::take(&mut self.registry.waiting).into_iter().partition(is_gone);
        self.registry.waiting = kept;
        let gone: Vec<Waiting> = gone;
        for waiting in gone {
            self.disabled_now.push(waiting.event.name.clone());
            self.not_run.push(NotRun { event: waiting.event, disabled_by: current.clone() });
        }
    }
}
