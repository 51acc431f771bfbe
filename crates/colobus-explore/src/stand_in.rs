//! [`StandIn`]: answers in the place of a server that was learned. A seed decides which answers: zero makes them of what was
//! observed, others prefer what clients compare with and what lies at the boundary of what the schemas allow. Consumed by
//! the command, which puts it behind a proxy.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_learn::language::{Operation, select};
use colobus_learn::mock::{MockError, Options};
use colobus_learn::schema::Preference;
use colobus_learn::{Description, Mock, Request, Schemas};
use colobus_world::{AnswerPlan, GivenAnswer};

/// The seed of answers whose texts are marked, so that a page that takes them for markup or code gives itself away.
pub(crate) const MARKED: u64 = 7;

/// A learned server inside a search.
#[derive(Debug)]
pub struct StandIn {
    description: Description,
    schemas: Schemas,
    seed: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    plan: AnswerPlan,
    /// Answers as observed, and answers of the present step.
    usual: Mock,
    present: Mock,
    is_usual: bool,
    /// How often each request came in this run.
    counts: BTreeMap<String, usize>,
    given: Vec<GivenAnswer>,
    constants: Vec<String>,
}

impl StandIn {
    pub fn new(description: Description, schemas: Schemas, seed: u64) -> Result<StandIn, MockError> {
        let usual = mock(&description, &schemas, seed, 0, &[])?;
        let present = mock(&description, &schemas, seed, 0, &[])?;
        let state = State {
            plan: AnswerPlan::default(),
            usual,
            present,
            is_usual: true,
            counts: BTreeMap::new(),
            given: Vec::new(),
            constants: Vec::new(),
        };
        Ok(StandIn { description, schemas, seed, state: Mutex::new(state) })
    }

    /// A new run begins: nothing is remembered of the last one.
    pub fn begin(&self, plan: &AnswerPlan) {
        let mut state = self.lock();
        state.plan = plan.clone();
        state.counts.clear();
        state.given.clear();
        drop(state);
        self.step(plan.opening);
    }

    /// A step with this seed begins. The same request gets the same answers in every step with the same seed.
    pub fn step(&self, seed: u64) {
        let mut state = self.lock();
        let constants = state.constants.clone();
        // A description that was mocked once can be mocked again.
        if let Ok(present) = mock(&self.description, &self.schemas, self.seed, seed, &constants) {
            state.present = present;
        }
        if let Ok(usual) = mock(&self.description, &self.schemas, self.seed, 0, &[]) {
            state.usual = usual;
        }
        state.is_usual = seed == 0;
    }

    /// What clients compare with: answers contain it more often.
    pub fn prefer(&self, constants: Vec<String>) {
        self.lock().constants = constants;
    }

    /// All answers of this run so far, in their order.
    pub fn given(&self) -> Vec<GivenAnswer> {
        self.lock().given.clone()
    }

    /// Whether the plan has an answer to such a request, or the description an operation for it.
    pub fn may_answer(&self, request: &Request) -> bool {
        let name = name(request);
        self.lock().plan.fixed.iter().any(|answer| answer.request == name) || self.describes(request)
    }

    fn describes(&self, request: &Request) -> bool {
        select(&self.description, &self.schemas, request).is_some()
    }

    /// The answer, if there is one.
    pub fn answer(&self, request: &Request) -> Option<GivenAnswer> {
        if !self.may_answer(request) {
            return None;
        }
        let name = name(request);
        let mut state = self.lock();
        let count = state.counts.entry(name.clone()).or_default();
        let number = *count;
        *count += 1;
        let is_this = |answer: &&GivenAnswer| answer.request == name && answer.number == number;
        let answer = match state.plan.fixed.iter().find(is_this) {
            Some(fixed) => fixed.clone(),
            None if !self.describes(request) => return None,
            None => {
                let as_observed = state.is_usual || state.plan.usual.contains(&(name.clone(), number));
                let reply = if as_observed { state.usual.answer(request) } else { state.present.answer(request) };
                let operation = reply.operation.and_then(|number| self.description.operations.get(number));
                GivenAnswer {
                    request: name,
                    number,
                    operation: operation.map(Operation::pattern).unwrap_or_default(),
                    status: reply.status,
                    content_type: reply.content_type,
                    body: String::from_utf8_lossy(&reply.body).into_owned(),
                    as_observed,
                }
            }
        };
        state.given.push(answer.clone());
        Some(answer)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request as a line, whatever its headers say.
fn name(request: &Request) -> String {
    Request { headers: Vec::new(), ..request.clone() }.to_string()
}

/// Odd seeds go to the boundaries of what is possible, even ones mix; one marks texts.
fn mock(
    description: &Description,
    schemas: &Schemas,
    seed: u64,
    step: u64,
    constants: &[String],
) -> Result<Mock, MockError> {
    let preference = match step {
        0 => Preference::Seen,
        MARKED => Preference::Marked,
        odd if odd % 2 == 1 => Preference::Boundary,
        _ => Preference::Mixed,
    };
    let options = Options {
        seed: seed.wrapping_add(step << 32),
        preference,
        constants: constants.to_vec(),
        ..Options::default()
    };
    Mock::new(description.clone(), schemas.clone(), options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_learn::{Body, Exchange, robust};
    use serde_json::json;

    fn stand_in() -> StandIn {
        let exchange = |id: u32| Exchange {
            method: "GET".into(),
            url: format!("http://h/api/people/{id}"),
            status: 200,
            response_body: Some(Body::json(&json!({ "id": id, "names": ["ann", "bob"], "role": "user" }))),
            ..Exchange::default()
        };
        let learned = robust::learn(&[exchange(1), exchange(2), exchange(3)]);
        StandIn::new(learned.description, learned.schemas, 7).unwrap()
    }

    fn request() -> Request {
        Request::new("GET", "http://h/api/people/2", &[], None)
    }

    #[test]
    fn seed_zero_answers_as_observed_and_others_do_not() {
        let server = stand_in();
        server.begin(&AnswerPlan::default());
        let usual = server.answer(&request()).unwrap();
        assert!(usual.as_observed && usual.body.contains("\"names\":[\""), "{usual:?}");
        let empty = (1..20).find(|seed| {
            server.step(*seed);
            server.answer(&request()).unwrap().body.contains("\"names\":[]")
        });
        assert!(empty.is_some(), "a boundary is an empty list");
        assert_eq!(server.answer(&Request::new("GET", "http://h/other", &[], None)), None);
    }

    #[test]
    fn runs_repeat_and_plans_are_followed() {
        let server = stand_in();
        let plan = AnswerPlan { opening: 3, ..AnswerPlan::default() };
        let run = |plan: &AnswerPlan| {
            server.begin(plan);
            (0..2).map(|_| server.answer(&request()).unwrap()).collect::<Vec<_>>()
        };
        let first = run(&plan);
        assert_eq!(run(&plan), first);
        assert_eq!((first[0].number, first[1].number, first[0].as_observed), (0, 1, false));
        let usual = AnswerPlan { usual: [(first[0].request.clone(), 0)].into(), ..plan.clone() };
        assert!(run(&usual)[0].as_observed && !run(&usual)[1].as_observed);
        let fixed =
            AnswerPlan { fixed: vec![GivenAnswer { body: "[]".into(), ..first[1].clone() }], ..AnswerPlan::default() };
        assert_eq!(run(&fixed)[1].body, "[]");
    }
}
