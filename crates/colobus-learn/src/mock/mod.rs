//! [`Mock`]: answers in the place of a server. A request and a seed give an answer; what repeats a request gets the next
//! one. Consumed by `colobus mock`, which adds the sockets.

mod answer;
mod channel;
mod nearest;
mod store;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::language::{Alternative, Answer, Datatype, Description, Match, Router};
use crate::relaxng::GrammarError;
use crate::request::Request;
use crate::schema::{Preference, SchemaProblem, Schemas, problems};
use answer::make_up;
pub use channel::{Conversation, Said};
use colobus_random::Random;
use store::Store;

/// How a mock behaves.
#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// Of a hundred requests, as many get an error.
    pub errors: u8,
    /// Bounds of the delay in milliseconds.
    pub latency: (u32, u32),
    /// What was created, changed and deleted shows in later answers.
    pub stateful: bool,
    /// Clients that read the same get the same, unless it was changed: several clients agree.
    pub steady: bool,
    pub preference: Preference,
    /// What clients compare with: texts and numbers are taken from these more often, unless only seen values are wanted.
    pub constants: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            errors: 0,
            latency: (0, 0),
            stateful: false,
            steady: false,
            preference: Preference::Mixed,
            constants: Vec::new(),
        }
    }
}

/// An answer, and how long it should take.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub status: u16,
    /// Absent for empty answers.
    pub content_type: Option<String>,
    pub body: Vec<u8>,
    pub delay_ms: u32,
    /// The number of the operation; `None` if no operation matches.
    pub operation: Option<usize>,
}

/// Why a description cannot be mocked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MockError {
    #[error("the description refers to {file}, which is missing; put it beside the description")]
    MissingFile { file: String },
    #[error("the description refers to `{definition}` of {file}, which has no such definition; it has {known}")]
    MissingDefinition { file: String, definition: String, known: String },
    #[error("the description refers to {file}, which has no start; name a definition: `@{file}#NAME`")]
    MissingStart { file: String },
    #[error("{file}:{error}; an answer cannot be made up")]
    Grammar { file: String, error: GrammarError },
    #[error(transparent)]
    Schema(SchemaProblem),
}

/// A description that answers.
#[derive(Debug)]
pub struct Mock {
    description: Description,
    schemas: Schemas,
    router: Router,
    options: Options,
    /// How often each request came, by its hash: bodies may be large. The order of different requests does not matter to the
    /// answers.
    counts: Mutex<HashMap<u64, u64>>,
    store: Mutex<Store>,
}

/// More different requests than this start again from the first answer, so that memory stays flat.
const MOST_COUNTS: usize = 50_000;

impl Mock {
    pub fn new(description: Description, schemas: Schemas, options: Options) -> Result<Mock, MockError> {
        let has = |file: &String| schemas.json.contains_key(file) || schemas.grammars.contains_key(file);
        if let Some(file) = description.files().into_iter().find(|file| !has(file)) {
            return Err(MockError::MissingFile { file });
        }
        for (file, definition) in description.grammar_references() {
            check_grammar(&file, definition.as_deref(), &schemas)?;
        }
        if let Some(problem) = problems(&schemas).into_iter().next() {
            return Err(MockError::Schema(problem));
        }
        let store = Mutex::new(Store::new(&description));
        let router = Router::new(&description);
        Ok(Mock { description, schemas, router, options, counts: Mutex::default(), store })
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The answer to a request.
    pub fn answer(&self, request: &Request) -> Reply {
        if let Some(found) = self.router.select(&self.description, &self.schemas, request) {
            return self.answer_match(request, &found);
        }
        self.answer_batch(request).unwrap_or_else(|| nearest::not_found(&self.description, request))
    }

    fn answer_match(&self, request: &Request, found: &Match<'_>) -> Reply {
        let mut random = self.random_for(request);
        let (least, most) = self.options.latency;
        let delay_ms = least + u32::try_from(random.below((most.saturating_sub(least) as usize) + 1)).unwrap_or(0);
        let finish = |mut reply: Reply| {
            reply.delay_ms = delay_ms;
            reply.operation = Some(found.number);
            reply
        };
        if random.percent(self.options.errors) {
            return finish(self.error(found, &mut random));
        }
        if !self.options.stateful {
            return finish(self.success(request, found, &mut random));
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let described = || self.describe(found, 404, &mut self.random_for(request));
        let make = |random: &mut Random| self.success(request, found, random);
        finish(store.answer(request, found, &self.schemas, &mut random, make, described))
    }

    /// Numbers that depend on the seed, the request and how often it came.
    fn random_for(&self, request: &Request) -> Random {
        let parameters: Vec<String> =
            request.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let body = request.body.as_ref().map(Value::to_string).unwrap_or_default();
        let key = format!("{} {}?{} {body}", request.method, request.path.join("/"), parameters.join("&"));
        if self.options.steady && request.method == "GET" {
            return Random::named(self.options.seed, key.as_bytes());
        }
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MOST_COUNTS && !counts.contains_key(&hash) {
            counts.clear();
        }
        let count = counts.entry(hash).or_default();
        *count += 1;
        Random::named(self.options.seed, format!("{key} {count}").as_bytes())
    }

    fn success(&self, request: &Request, found: &Match<'_>, random: &mut Random) -> Reply {
        let answers = &found.operation.extensions.answers;
        let successful: Vec<&Answer> = answers.iter().filter(|answer| (200..300).contains(&answer.status)).collect();
        let chosen = random.pick(&successful).copied().or_else(|| random.pick(answers));
        let (status, content_type, datatype) = match chosen {
            Some(answer) => (answer.status, answer.content_type.clone(), &answer.datatype),
            None => (200, None, &found.operation.response),
        };
        let mut reply = make_up(status, content_type, datatype, &self.schemas, random, &self.options);
        answer::repeat_parameters(&mut reply, request, found, datatype, &self.schemas);
        reply
    }

    /// An error that the operation describes, or a plain one.
    fn error(&self, found: &Match<'_>, random: &mut Random) -> Reply {
        let errors: Vec<u16> = found
            .operation
            .extensions
            .answers
            .iter()
            .map(|answer| answer.status)
            .filter(|status| *status >= 400)
            .collect();
        let status = random.pick(&errors).copied().unwrap_or(500);
        self.describe(found, status, random)
    }

    /// The answer with this status as it is described, or a plain one.
    fn describe(&self, found: &Match<'_>, status: u16, random: &mut Random) -> Reply {
        match found.operation.extensions.answers.iter().find(|answer| answer.status == status) {
            Some(Answer { content_type, datatype, .. }) => {
                make_up(status, content_type.clone(), datatype, &self.schemas, random, &self.options)
            }
            None => Reply::json(status, &json!({ "error": format!("status {status} of the mock") })),
        }
    }

    /// Calls on one URL in one list: each element is answered by the operation that its fields select.
    fn answer_batch(&self, request: &Request) -> Option<Reply> {
        let calls = request.body.as_ref()?.as_array().filter(|calls| !calls.is_empty())?;
        let mut answers = Vec::new();
        for call in calls {
            let single = Request { body: Some(call.clone()), ..request.clone() };
            let found = self.router.select(&self.description, &self.schemas, &single)?;
            let selected = !found.operation.extensions.conditions.is_empty();
            let reply = selected.then(|| self.answer_match(&single, &found))?;
            answers.push(serde_json::from_slice(&reply.body).unwrap_or(Value::Null));
        }
        Some(Reply::json(200, &Value::Array(answers)))
    }
}

fn check_grammar(file: &str, definition: Option<&str>, schemas: &Schemas) -> Result<(), MockError> {
    let file = file.to_string();
    let Some(grammar) = schemas.grammars.get(&file) else { return Err(MockError::MissingFile { file }) };
    match (definition, grammar.without_instance(definition)) {
        (Some(name), _) if !grammar.has(definition) => {
            let known = grammar.names().collect::<Vec<_>>().join(", ");
            Err(MockError::MissingDefinition { file, definition: name.to_string(), known })
        }
        (None, _) if !grammar.has(None) => Err(MockError::MissingStart { file }),
        (_, Some(error)) => Err(MockError::Grammar { file, error }),
        (_, None) => Ok(()),
    }
}

impl Reply {
    pub(crate) fn json(status: u16, body: &Value) -> Reply {
        let content_type = Some("application/json".to_string());
        Reply { status, content_type, body: body.to_string().into_bytes(), delay_ms: 0, operation: None }
    }

    pub(crate) fn empty(status: u16) -> Reply {
        Reply { status, content_type: None, body: Vec::new(), delay_ms: 0, operation: None }
    }

    /// The body, if it is JSON.
    pub fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}

/// The schema file of a datatype that has one.
pub(crate) fn schema_file(datatype: &Datatype) -> Option<&str> {
    datatype.0.iter().find_map(|alternative| match alternative {
        Alternative::Json(file) => Some(file.as_str()),
        _ => None,
    })
}
