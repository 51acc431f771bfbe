//! A recorded page run as it is: its own clock, its own code, answers and steps when they were recorded, plus delays. What fails here can be
//! made to fail by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use colobus_browser::{AimedStep, LogKind, Lookup, Page, ResourceType, StoppedRequest, scripts};
use colobus_model::Step;
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventKind, EventName, FinalState, Request};
use colobus_race::recorded::{Answers, RecordedAnswer, RecordedPage};
use colobus_world::WorldError;
use serde_json::json;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tracing::debug;

use super::RaceBrowser;
use super::outcome::broken_invariants;
use crate::settling::limits::{ELEMENT_IN_PLAIN_PAGES, IN_PAGES, REST_OF_PLAIN_PAGES};

/// An answer on its way.
struct DueAnswer {
    at: Instant,
    request: StoppedRequest,
    answer: RecordedAnswer,
}

impl RaceBrowser {
    pub(super) async fn run_plain(
        &self,
        recorded: &RecordedPage,
        delays: &Delays,
        left_out: &[EventName],
    ) -> Result<FinalState, WorldError> {
        let later: BTreeMap<&str, i64> = delays.0.iter().map(|delay| (delay.event.as_str(), delay.by)).collect();
        let script = scripts::in_plain_page(&json!(recorded.messages), &json!(later), IN_PAGES);
        let (context, page) = self.open_page(recorded.viewport, script).await?;
        let mut plain = Plain::new(&page, recorded, delays);
        let state = plain.run(left_out).await;
        context.dispose().await?;
        state
    }
}

struct Plain<'a> {
    page: &'a Page,
    recorded: &'a RecordedPage,
    /// By the event that comes later or earlier, in milliseconds.
    delays: BTreeMap<&'a EventName, i64>,
    answers: Answers<'a>,
    /// The names of the events that answer each address, the next one last.
    names: Vec<(&'a EventName, String)>,
    due: Vec<DueAnswer>,
    requests: BTreeMap<Request, u32>,
    started: Instant,
    document: Option<String>,
    left: bool,
}

impl<'a> Plain<'a> {
    fn new(page: &'a Page, recorded: &'a RecordedPage, delays: &'a Delays) -> Plain<'a> {
        let address = |event: &'a colobus_race::model::PageEvent| match &event.kind {
            EventKind::Response { address, .. } => Some((&event.name, address.clone())),
            EventKind::Chunk { .. } => Some((&event.name, recorded.url.clone())),
            _ => None,
        };
        Plain {
            page,
            recorded,
            delays: delays.0.iter().map(|delay| (&delay.event, delay.by)).collect(),
            answers: Answers::new(&recorded.answers),
            names: recorded.execution.events().filter_map(address).collect(),
            due: Vec::new(),
            requests: BTreeMap::new(),
            started: Instant::now(),
            document: None,
            left: false,
        }
    }

    async fn run(&mut self, left_out: &[EventName]) -> Result<FinalState, WorldError> {
        self.page.set_out_for(&self.recorded.url);
        let mut later = 0_i64;
        for ran in self.recorded.execution.ran.iter().filter(|ran| ran.event.is_step()) {
            let EventKind::Step { number, .. } = ran.event.kind else { continue };
            let Some(step) = usize::try_from(number).ok().and_then(|number| self.recorded.steps.get(number - 1)) else {
                continue;
            };
            later += self.delays.get(&ran.event.name).copied().unwrap_or_default();
            let at = i64::try_from(ran.at).unwrap_or(i64::MAX).saturating_add(later).max(0);
            self.until(self.started + Duration::from_millis(at.unsigned_abs())).await;
            if left_out.contains(&ran.event.name) {
                continue;
            }
            let aimed = self.aim(&step.step).await?;
            let wrong = |problem| WorldError::Interrupted(format!("{}: {problem}", ran.event.name));
            // What its JavaScript throws is part of what the page came to, like any exception.
            self.page.act(aimed.map_err(wrong)?).await?;
        }
        let longest: i64 = self.delays.values().map(|by| by.max(&0)).sum();
        let end = Duration::from_millis(self.recorded.end() + longest.unsigned_abs());
        self.until((self.started + end).max(Instant::now()) + REST_OF_PLAIN_PAGES).await;
        while let Some(last) = self.due.iter().map(|due| due.at).max() {
            debug!(target: "settling", answers = self.due.len(), "again: answers of a plain page are on their way");
            self.until(last + REST_OF_PLAIN_PAGES).await;
        }
        let milliseconds = self.started.elapsed().as_millis();
        debug!(target: "settling", milliseconds, "a plain page had its time");
        let dom = self.page.main_frame().dom(&[]).await?;
        let log_entries = self.page.log_entries();
        let thrown = log_entries.iter().filter(|entry| entry.kind == LogKind::Uncaught);
        Ok(FinalState {
            dom,
            exceptions: thrown.map(|entry| entry.text.clone()).collect(),
            requests: std::mem::take(&mut self.requests),
            broken_invariants: broken_invariants(self.page, &self.recorded.invariants).await?,
            ..FinalState::default()
        })
    }

    /// Finds the elements of a step, which may come later than they were recorded; `Err` with the reason if they do not come.
    async fn aim<'s>(&mut self, step: &'s Step) -> Result<Result<AimedStep<'s>, String>, WorldError> {
        let page = self.page;
        let deadline = Instant::now() + ELEMENT_IN_PLAIN_PAGES;
        loop {
            let document = page.document();
            let wait = deadline.saturating_duration_since(Instant::now());
            match self.while_answering(page.aim(step, Lookup::Moving { wait })).await {
                // The first document is not there yet, or makes room for the next.
                Ok(Err(_)) | Err(WorldError::Interrupted(_)) if Instant::now() < deadline => {
                    let replaced = timeout_at(deadline, page.until_replaced(document));
                    // Without another document the last attempt says what is wrong.
                    let _ = self.while_answering(replaced).await;
                }
                aimed => return aimed,
            }
        }
    }

    /// Answers requests at their times until this is done.
    async fn while_answering<T>(&mut self, part: impl Future<Output = T>) -> T {
        tokio::pin!(part);
        let limit = Instant::now() + self.page.limit();
        tokio::select! {
            done = &mut part => return done,
            () = self.until(limit) => {}
        }
        part.await
    }

    /// Answers requests at their times until this moment.
    async fn until(&mut self, end: Instant) {
        loop {
            let now = Instant::now();
            let (ripe, rest) = std::mem::take(&mut self.due).into_iter().partition(|due: &DueAnswer| due.at <= now);
            self.due = rest;
            let mut ripe: Vec<DueAnswer> = ripe;
            ripe.sort_by_key(|due| due.at);
            for DueAnswer { request, answer, .. } in ripe {
                self.page.answer(&request.id, answer.status, &answer.headers, &answer.body);
            }
            if now >= end || self.page.is_closed() {
                return;
            }
            let next = self.due.iter().map(|due| due.at).min().map_or(end, |at| at.min(end));
            if timeout(next.saturating_duration_since(now), self.page.until_stopped()).await.is_ok() {
                for request in self.page.take_stopped() {
                    self.request(request);
                }
            } else {
                sleep_until(next).await;
            }
        }
    }

    fn request(&mut self, request: StoppedRequest) {
        let sent = RecordedAnswer::digest_of(&request.body);
        let is_document = request.resource_type == ResourceType::Document && request.in_main_frame;
        let address = self.address(&request.url);
        if matches!(request.resource_type, ResourceType::Xhr | ResourceType::Fetch | ResourceType::Ping)
            || is_document && self.document.is_some()
        {
            let key = Request { method: request.method.clone(), address: address.clone(), body: sent };
            *self.requests.entry(key).or_insert(0) += 1;
        }
        if is_document && self.document.as_ref().is_some_and(|known| *known != request.network_id) {
            self.left = true;
            self.page.refuse(&request.id);
            return;
        }
        if is_document {
            self.document = Some(request.network_id.clone());
        }
        let Some(answer) = self.answers.take(&request.method, &request.url, sent).cloned() else {
            self.page.let_through(&request.id);
            return;
        };
        let place = self.names.iter().position(|(_, known)| *known == address || *known == request.url);
        let delay = place.map(|place| self.names.remove(place).0).and_then(|name| self.delays.get(name));
        let wait = i64::try_from(answer.latency).unwrap_or(i64::MAX).saturating_add(delay.copied().unwrap_or_default());
        let at = Instant::now() + Duration::from_millis(wait.max(0).unsigned_abs());
        self.due.push(DueAnswer { at, request, answer });
    }

    fn address(&self, url: &str) -> String {
        let origin = super::own_address(&self.recorded.url, super::SENTINEL);
        let origin = origin.trim_end_matches(super::SENTINEL).trim_end_matches('/');
        url.strip_prefix(origin).map_or(url, |path| path).to_string()
    }
}
