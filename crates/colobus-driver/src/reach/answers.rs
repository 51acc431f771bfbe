//! [`Answers`]: what servers say to requests that handlers send. The page's own request does not leave: what `GET` gives is asked
//! for once, as when a page opens; what other methods do to a server is seen on a page as users have it, by an [`AnswerRecorder`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use colobus_browser::{Page, StoppedRequest};
use colobus_model::UrlParts;
use colobus_reach::crawl::Move;
use colobus_reach::observation::PARAMETER;
use colobus_reach::page::Step;
use colobus_reach::symbolic::expr::{Expr, Source};
use colobus_reach::symbolic::value::Value;
use colobus_record::Origin;
use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::Value as Json;

use super::sources::Source as Answer;
use super::{PageEvents, ReachBrowser};

/// An answer that was seen on a page as users have it.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    pub method: String,
    pub url: String,
    /// What was sent.
    pub sent: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Performs steps on a page as users have it, and tells of its requests.
pub type AnswerRecorder = Box<dyn FnMut(&[Step], &PageEvents) -> Result<Vec<RecordedAnswer>, WorldError>>;

/// How often a recorder is asked: it takes seconds, and what it does stays on the server.
const MOST_RECORDED: usize = 12;

#[derive(Default)]
pub struct Answers {
    pub recorder: Option<AnswerRecorder>,
    recorded: BTreeMap<Request, Answer>,
    /// Requests without a known answer, in the run that is told next.
    wanted: BTreeSet<Request>,
    /// Sequences that were performed for answers.
    performed: Vec<Vec<Step>>,
    /// Which event enters the value of a field.
    entering: BTreeMap<Arc<str>, Arc<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Request {
    method: String,
    url: String,
    sent: String,
}

impl Answers {
    fn of(&self, request: &Request) -> Option<&Answer> {
        self.recorded.get(request)
    }

    /// Learns what fields events fill.
    pub fn learn(&mut self, event: &Arc<str>, writes: &BTreeMap<Arc<str>, Expr>) {
        for (name, expr) in writes {
            if matches!(expr, Expr::Variable(variable) if variable.source != Source::State) {
                self.entering.entry(name.clone()).or_insert_with(|| event.clone());
            }
        }
    }

    /// What a user does to get where moves lead, with what the page tells of each: state that was set must be the values of fields.
    fn steps(&self, moves: &[&Move], told: &[Json]) -> Option<Vec<Step>> {
        let with = |event: &Arc<str>, value: Option<Value>| Step {
            event: event.clone(),
            parameters: value.into_iter().map(|value| (PARAMETER.into(), value)).collect(),
        };
        let mut steps = Vec::new();
        for (step, told) in moves.iter().zip(told) {
            for variable in step.before.keys().filter(|variable| variable.source == Source::State) {
                // A field may have taken another value than the one that it was given.
                let value = Value::deserialize(&told["entry"][&*variable.name]).ok()?;
                steps.push(with(self.entering.get(&variable.name)?, Some(value)));
            }
            steps.push(with(&step.event, told["parameter"].as_str().map(Value::text)));
        }
        Some(steps)
    }

    /// The requests of the last run that have no answer.
    pub fn take_unknown(&mut self) -> BTreeSet<String> {
        let wanted = std::mem::take(&mut self.wanted).into_iter();
        wanted.map(|it| format!("{} {}", it.method, UrlParts::path_of(&it.url))).collect()
    }

    /// Performs moves as a user would, if requests of the last one have no answer; whether one is known now.
    pub fn record(&mut self, moves: &[&Move], told: &[Json], events: &PageEvents) -> bool {
        let Some(steps) = self.steps(moves, told) else { return false };
        if self.wanted.is_empty() || self.performed.len() == MOST_RECORDED || self.performed.contains(&steps) {
            return false;
        }
        self.performed.push(steps.clone());
        let Some(Ok(seen)) = self.recorder.as_mut().map(|recorder| recorder(&steps, events)) else { return false };
        for RecordedAnswer { method, url, sent, status, headers, body } in seen {
            let answer = Answer { status, headers, body: body.into() };
            self.recorded.insert(Request { method, url, sent }, answer);
        }
        let wanted = std::mem::take(&mut self.wanted);
        wanted.iter().any(|request| self.recorded.contains_key(request))
    }
}

impl ReachBrowser {
    /// Answers what the page asks for after an event.
    pub(super) async fn answer_asked(&mut self, page: &Page) -> Result<(), WorldError> {
        for request in page.take_stopped() {
            let is_own = Origin::of(&request.url) == Origin::of(&self.options.url);
            if is_own && (request.response.is_some() || request.method == "GET") {
                self.serve(page, request).await?;
            } else {
                self.answer_recorded(page, &request);
            }
        }
        Ok(())
    }

    fn answer_recorded(&mut self, page: &Page, request: &StoppedRequest) {
        let StoppedRequest { id, method, url, body, .. } = request;
        let asked = Request { method: method.clone(), url: url.clone(), sent: body.clone() };
        match self.answers.of(&asked) {
            Some(answer) => page.answer(id, answer.status, &answer.headers, &answer.body),
            None => {
                page.refuse(id);
                self.answers.wanted.insert(asked);
            }
        }
    }
}
