//! [`WebWorkers`]: the workers of one client's page, shared ones and workers of workers included. Each is stopped at its
//! first line, gets the script that counts what it sends and receives, and goes on; later it is asked like the page.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use colobus_model::Application;
use serde_json::{Value, json};

use super::protocol::{EventSink, Session};
use super::scripts::{self, ClientSlot};

/// A worker that takes longer than this to begin is not waited for.
const START_LIMIT: Duration = Duration::from_secs(1);

pub struct WebWorkers {
    application: Arc<Application>,
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

/// What a session is told to have its workers announced, each waiting until it is let go.
pub fn announce(kinds: &[&str]) -> Value {
    let filter: Vec<Value> = kinds.iter().map(|kind| json!({ "type": kind, "exclude": false })).collect();
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter })
}

impl WebWorkers {
    pub fn new(application: Arc<Application>) -> Arc<WebWorkers> {
        Arc::new(WebWorkers { application, state: Mutex::default() })
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
    pub fn live(&self) -> Vec<(String, Session)> {
        let state = self.state();
        let ready = state.live.iter().filter(|(_, worker)| worker.ready);
        ready.map(|(id, worker)| (id.clone(), worker.session.clone())).collect()
    }

    /// How many are about to begin.
    pub fn starting(&self) -> usize {
        self.state().live.values().filter(|worker| !worker.ready && worker.since.elapsed() < START_LIMIT).count()
    }

    /// It ended, or cannot be asked any more.
    pub fn forget(&self, id: &str) {
        self.state().live.remove(id);
    }

    /// What a session with workers has to say about them.
    pub fn event(self: &Arc<WebWorkers>, owner: &Session, method: &str, params: &Value) {
        let Some(id) = params["sessionId"].as_str() else { return };
        let kind = params["targetInfo"]["type"].as_str().unwrap_or_default();
        match method {
            "Target.attachedToTarget" if matches!(kind, "worker" | "shared_worker") => self.welcome(owner, id),
            "Target.detachedFromTarget" if self.state().live.remove(id).is_some() => owner.detach(id),
            _ => {}
        }
    }

    /// Lets a new worker go on up to its first line, which is where its global object is complete. Nobody waits for the
    /// answers: commands are executed in order.
    fn welcome(self: &Arc<WebWorkers>, owner: &Session, id: &str) {
        let sink = Arc::new(Below { workers: self.clone(), id: id.to_string(), session: OnceLock::new() });
        let session = owner.attach(id, sink.clone());
        // Set once, right after attaching.
        let _ = sink.session.set(session.clone());
        for (method, params) in [
            ("Target.setAutoAttach", announce(&["worker"])),
            ("Debugger.enable", json!({})),
            ("Debugger.setInstrumentationBreakpoint", json!({ "instrumentation": "beforeScriptExecution" })),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ] {
            drop(session.send(method, params));
        }
        self.state().live.insert(id.to_string(), Worker { session, since: Instant::now(), ready: false });
    }

    /// The worker is at its first line: it gets the script, and goes on for good.
    fn inject(&self, id: &str) {
        let mut state = self.state();
        let (slot, number) = (state.slot, state.started + 1);
        let Some(worker) = state.live.get_mut(id).filter(|worker| !worker.ready) else { return };
        worker.ready = true;
        let source = scripts::in_worker(&self.application, slot, number);
        for (method, params) in [
            ("Runtime.evaluate", json!({ "expression": source })),
            ("Debugger.resume", json!({})),
            ("Debugger.disable", json!({})),
        ] {
            drop(worker.session.send(method, params));
        }
        state.started = number;
    }
}

/// Hears what a worker has to say: that it begins, and that it has workers of its own.
struct Below {
    workers: Arc<WebWorkers>,
    id: String,
    session: OnceLock<Session>,
}

impl EventSink for Below {
    fn event(&self, method: &str, params: &Value) {
        match self.session.get() {
            Some(_) if method == "Debugger.paused" => self.workers.inject(&self.id),
            Some(session) => self.workers.event(session, method, params),
            None => {}
        }
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

    pub fn event(&self, browser: &Session, method: &str, params: &Value) {
        if method == "Target.detachedFromTarget" {
            let everybody: Vec<Arc<WebWorkers>> = self.owners().values().filter_map(Weak::upgrade).collect();
            everybody.iter().for_each(|workers| workers.event(browser, method, params));
            return;
        }
        let info = &params["targetInfo"];
        let context = info["browserContextId"].as_str().unwrap_or_default();
        let owner = self.owners().get(context).and_then(Weak::upgrade);
        match (owner, params["sessionId"].as_str()) {
            (Some(workers), _) if info["type"] == "shared_worker" => workers.event(browser, method, params),
            // Pages stand still, and their openers with them, until they are told to go on.
            (_, Some(id)) if params["waitingForDebugger"] == true => {
                drop(browser.sibling(id).send("Runtime.runIfWaitingForDebugger", json!({})));
                drop(browser.send("Target.detachFromTarget", json!({ "sessionId": id })));
            }
            _ => {}
        }
    }
}
