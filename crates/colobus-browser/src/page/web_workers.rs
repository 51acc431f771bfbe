//! [`WebWorkers`]: the web workers of one page, shared ones and workers of workers included. Each is stopped at its first
//! line, gets the script that counts what it sends and receives, and goes on; later it is asked like the page.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use colobus_model::Application;
use colobus_world::WorldError;
use futures_util::future::join_all;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Evaluated;
use super::evaluate::evaluated;
use crate::browser::Targets;
use crate::protocol::target::{AttachedToTarget, DetachFromTarget, SetAutoAttach, TargetKind};
use crate::protocol::{Event, EventSink, ProtocolError, Session, debugger, runtime};
use crate::scripts::{self, ClientSlot, PageLimits};

/// A worker that takes longer than this to begin is not waited for.
const START_LIMIT: Duration = Duration::from_secs(1);

pub struct WebWorkers {
    application: Arc<Application>,
    limits: PageLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Whose page they belong to, and which load of it.
    slot: ClientSlot,
    started: u64,
    /// By the id of their session.
    live: BTreeMap<String, Worker>,
}

struct Worker {
    session: Session,
    since: Instant,
    /// It has the script, and can be asked.
    ready: bool,
}

impl WebWorkers {
    pub fn new(application: Arc<Application>, limits: PageLimits) -> Arc<WebWorkers> {
        Arc::new(WebWorkers { application, limits, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page is about to be loaded: workers that start from now on belong to this load.
    pub fn belong_to(&self, slot: ClientSlot) {
        let mut state = self.state();
        (state.slot, state.started) = (slot, 0);
    }

    /// Those that can be asked at the moment.
    fn live(&self) -> Vec<(String, Session)> {
        let state = self.state();
        let ready = state.live.iter().filter(|(_, worker)| worker.ready);
        ready.map(|(id, worker)| (id.clone(), worker.session.clone())).collect()
    }

    /// Calls one of our functions in every worker. One that does not answer in time has ended, or is busy for longer than the
    /// limit: it is not asked again. An answer that cannot be read is an error.
    pub async fn ask_all<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &[Value],
        limit: Duration,
    ) -> Result<Vec<T>, WorldError> {
        let source = scripts::call(function, arguments);
        let ask = |(id, session): (String, Session)| {
            let answer = session.send(runtime::Evaluate::value(&source, None)).within(limit);
            async move {
                match answer.await {
                    Ok(answer) => read_answer(function, answer).map(Some),
                    Err(error @ ProtocolError::Malformed { .. }) => Err(WorldError::Interrupted(error.to_string())),
                    Err(ProtocolError::Gone | ProtocolError::Refused { .. } | ProtocolError::TimedOut { .. }) => {
                        self.forget(&id);
                        Ok(None)
                    }
                }
            }
        };
        let answers: Result<Vec<Option<T>>, WorldError> =
            join_all(self.live().into_iter().map(ask)).await.into_iter().collect();
        Ok(answers?.into_iter().flatten().collect())
    }

    pub fn are_there(&self) -> bool {
        !self.state().live.is_empty()
    }

    /// How many are about to begin.
    pub fn starting(&self) -> usize {
        self.state().live.values().filter(|worker| !worker.ready && worker.since.elapsed() < START_LIMIT).count()
    }

    /// It ended, or cannot be asked any more.
    fn forget(&self, id: &str) {
        self.state().live.remove(id);
    }

    /// What a session with workers has to say about them.
    pub(crate) fn event(self: &Arc<WebWorkers>, owner: &Session, event: &Event) {
        match event {
            Event::AttachedToTarget(attached) => self.attached(owner, attached),
            Event::DetachedFromTarget(detached) => self.detached(owner, &detached.session_id),
            _ => {}
        }
    }

    fn attached(self: &Arc<WebWorkers>, owner: &Session, attached: &AttachedToTarget) {
        if matches!(attached.target_info.r#type, TargetKind::Worker | TargetKind::SharedWorker) {
            self.welcome(owner, &attached.session_id);
        }
    }

    fn detached(&self, owner: &Session, id: &str) {
        if self.state().live.remove(id).is_some() {
            owner.detach(id);
        }
    }

    /// Lets a new worker go on up to its first line, which is where its global object is complete. The answers are
    /// not waited for: commands are executed in order.
    fn welcome(self: &Arc<WebWorkers>, owner: &Session, id: &str) {
        let sink = Arc::new(Below { workers: self.clone(), id: id.to_string(), session: OnceLock::new() });
        let session = owner.attach(id, sink.clone());
        // Set once, right after attaching.
        let _ = sink.session.set(session.clone());
        drop(session.send(SetAutoAttach::to(&[TargetKind::Worker])));
        drop(session.send(debugger::Enable {}));
        drop(session.send(debugger::SetInstrumentationBreakpoint { instrumentation: "beforeScriptExecution" }));
        drop(session.send(runtime::RunIfWaitingForDebugger {}));
        self.state().live.insert(id.to_string(), Worker { session, since: Instant::now(), ready: false });
    }

    /// The worker is at its first line: it gets the script, and goes on for good.
    fn inject(&self, id: &str) {
        let mut state = self.state();
        let (slot, number) = (state.slot, state.started + 1);
        let Some(worker) = state.live.get_mut(id).filter(|worker| !worker.ready) else { return };
        worker.ready = true;
        let source = scripts::in_worker(&self.application, slot, number, self.limits);
        drop(worker.session.send(runtime::Evaluate::handle(&source, None)));
        drop(worker.session.send(debugger::Resume {}));
        drop(worker.session.send(debugger::Disable {}));
        state.started = number;
    }
}

/// What one of our functions answered in a worker.
fn read_answer<T: DeserializeOwned>(function: &str, answer: runtime::Evaluation) -> Result<T, WorldError> {
    match evaluated(answer) {
        Evaluated::Value(value) => scripts::read(&format!("{function} of a web worker"), value),
        Evaluated::Threw(message) => {
            Err(WorldError::Interrupted(format!("asking a web worker for {function} failed: {message}")))
        }
    }
}

/// Hears what a worker has to say: that it begins, and that it has workers of its own.
struct Below {
    workers: Arc<WebWorkers>,
    id: String,
    session: OnceLock<Session>,
}

impl EventSink for Below {
    fn event(&self, event: &Event) {
        match (self.session.get(), event) {
            (Some(_), Event::Paused(_)) => self.workers.inject(&self.id),
            (Some(session), event) => self.workers.event(session, event),
            (None, _) => {}
        }
    }

    fn malformed(&self, _: ProtocolError) {
        // A worker that cannot be understood is one that does not answer.
        self.workers.forget(&self.id);
    }

    fn ended(&self) {}
}

/// Whose shared workers are whose: the browser tells of them, and names the context that they run in.
#[derive(Default)]
pub struct SharedWorkers(Mutex<HashMap<String, Weak<WebWorkers>>>);

impl SharedWorkers {
    fn owners(&self) -> MutexGuard<'_, HashMap<String, Weak<WebWorkers>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn belong(&self, context: &str, workers: &Arc<WebWorkers>) {
        let mut owners = self.owners();
        owners.retain(|_, workers| workers.strong_count() > 0);
        owners.insert(context.to_string(), Arc::downgrade(workers));
    }

    /// A shared worker has begun, or another target that stands still until it is let go.
    pub fn attached(&self, targets: &Targets, attached: &AttachedToTarget) {
        let browser = &targets.session;
        let context = attached.target_info.browser_context_id.as_deref().unwrap_or_default();
        let owner = self.owners().get(context).and_then(Weak::upgrade);
        match owner {
            Some(workers) if attached.target_info.r#type == TargetKind::SharedWorker => {
                workers.attached(browser, attached)
            }
            // Pages stand still, and their openers with them, until they are told to go on.
            _ if attached.waiting_for_debugger => {
                let session_id = attached.session_id.as_str();
                drop(browser.sibling(session_id).send(runtime::RunIfWaitingForDebugger {}));
                drop(browser.send(DetachFromTarget { session_id }));
            }
            _ => {}
        }
    }

    pub fn detached(&self, targets: &Targets, session: &str) {
        let everybody: Vec<Arc<WebWorkers>> = self.owners().values().filter_map(Weak::upgrade).collect();
        everybody.iter().for_each(|workers| workers.detached(&targets.session, session));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn posts(answer: Value) -> Result<u64, String> {
        #[derive(serde::Deserialize)]
        struct Report {
            posts: u64,
        }
        let answer = serde_json::from_value(answer).unwrap();
        read_answer("settle.drain", answer).map(|Report { posts }| posts).map_err(|error| error.to_string())
    }

    #[test]
    fn an_answer_without_a_field_is_an_error_that_names_it() {
        assert_eq!(posts(json!({ "result": { "value": { "posts": 3 } } })), Ok(3));
        let lacking = posts(json!({ "result": { "value": { "sockets": [] } } })).unwrap_err();
        assert!(
            lacking.contains("settle.drain of a web worker") && lacking.contains("missing field `posts`"),
            "{lacking}"
        );
        let details = json!({ "text": "Uncaught", "lineNumber": 0, "columnNumber": 0 });
        let thrown = posts(json!({ "result": {}, "exceptionDetails": details })).unwrap_err();
        assert!(thrown.contains("asking a web worker for settle.drain failed: Uncaught"), "{thrown}");
    }

    #[test]
    fn a_function_without_a_value_is_an_answer() {
        let nothing = serde_json::from_value(json!({ "result": { "type": "undefined" } })).unwrap();
        assert_eq!(read_answer::<Value>("polls.allow", nothing).unwrap(), Value::Null);
    }
}
