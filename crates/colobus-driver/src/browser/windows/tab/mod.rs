//! [`Tab`]: one tab and what the browser has said of it (`hearing`, `network`).

mod hearing;
mod network;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use base64::Engine;
use colobus_record::{DialogKind, Who};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::script::{BINDING, on_new_document};
use super::tell::What;
use super::{Notice, Shared, WindowOptions};
use crate::browser::client::{Evaluated, evaluated};
use crate::browser::protocol::{ProtocolError, Session};
use colobus_world::WorldError;
use colobus_world::{PageProblem, ProblemKind};
use network::Hold;

const LOAD_LIMIT: Duration = Duration::from_secs(30);
const MOST_TROUBLES: usize = 200;

pub struct Tab {
    pub who: Who,
    pub target: String,
    /// Whether a page opened it.
    pub is_popup: bool,
    session: OnceLock<Session>,
    id: OnceLock<String>,
    shared: Weak<Shared>,
    state: Mutex<State>,
    own: OnceLock<Weak<Tab>>,
}

#[derive(Default)]
struct State {
    closed: bool,
    /// Execution contexts of pages: id and frame.
    contexts: Vec<(i64, String)>,
    parents: HashMap<String, String>,
    main: Option<String>,
    url: String,
    document: Option<String>,
    loaded: Option<String>,
    departing: bool,
    movement: u64,
    navigations: u64,
    /// How the browser calls the navigation that has started.
    way: String,
    streams: bool,
    requests: HashMap<String, String>,
    hold: Option<Hold>,
    problems: Vec<PageProblem>,
    drag: Option<Value>,
    answered: usize,
    dialog: Option<DialogKind>,
}

impl Tab {
    pub(super) fn new(who: Who, info: &Value, is_popup: bool, shared: &Arc<Shared>) -> Tab {
        let text = |name: &str| info[name].as_str().unwrap_or_default().to_string();
        Tab {
            who,
            target: text("targetId"),
            is_popup,
            session: OnceLock::new(),
            id: OnceLock::new(),
            shared: Arc::downgrade(shared),
            state: Mutex::new(State { url: text("url"), ..State::default() }),
            own: OnceLock::new(),
        }
    }

    /// The session is known only after the tab that hears its events.
    pub(super) fn join(self: &Arc<Tab>, session: Session) {
        let _ = self.id.set(session.id().to_string());
        let _ = self.session.set(session);
        let _ = self.own.set(Arc::downgrade(self));
    }

    pub(super) fn set_up(&self, options: &WindowOptions) {
        let mut commands = vec![
            ("Page.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Runtime.enable", json!({})),
            ("Runtime.addBinding", json!({ "name": BINDING })),
            ("Page.addScriptToEvaluateOnNewDocument", json!({ "source": on_new_document(options) })),
            ("DOM.enable", json!({})),
            ("Log.enable", json!({})),
            ("Network.enable", json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 })),
        ];
        if let Some(viewport) = options.viewport {
            let metrics =
                json!({ "width": viewport.width, "height": viewport.height, "deviceScaleFactor": 1, "mobile": false });
            commands.push(("Emulation.setDeviceMetricsOverride", metrics));
        }
        if options.play || !options.headed {
            commands.push(("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })));
        }
        if options.play {
            commands.push(("Page.setInterceptFileChooserDialog", json!({ "enabled": true })));
            commands.push(("Input.setInterceptDrags", json!({ "enabled": true })));
        }
        commands.push(("Runtime.runIfWaitingForDebugger", json!({})));
        for (method, params) in commands {
            drop(self.session().send(method, params));
        }
    }

    pub(super) fn session_id(&self) -> &str {
        self.id.get().map_or("", String::as_str)
    }

    pub fn session(&self) -> &Session {
        let Some(session) = self.session.get() else { unreachable!("a tab joins its session when it is made") };
        session
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_closed(&self) -> bool {
        self.state().closed || self.session().is_gone()
    }

    pub(super) fn close(&self) {
        self.state().closed = true;
    }

    pub fn is_loaded(&self) -> bool {
        let state = self.state();
        !state.departing && state.document == state.loaded
    }

    pub fn movement(&self) -> u64 {
        self.state().movement
    }

    pub fn streams(&self) -> bool {
        self.state().streams
    }

    pub fn url(&self) -> String {
        self.state().url.clone()
    }

    pub fn take_problems(&self) -> Vec<PageProblem> {
        std::mem::take(&mut self.state().problems)
    }

    /// What the browser itself drags.
    pub fn drag(&self) -> Option<Value> {
        self.state().drag.clone()
    }

    pub fn take_drag(&self) -> Option<Value> {
        self.state().drag.take()
    }

    /// How many dialogs have been answered.
    pub fn answered(&self) -> usize {
        self.state().answered
    }

    /// Changes whenever the tab goes somewhere, also within a document.
    pub fn movement_of_address(&self) -> u64 {
        self.state().navigations
    }

    /// The frame that an execution context belongs to, and those around it, innermost first, without the main frame.
    pub fn frames_of(&self, context: i64) -> Vec<String> {
        let state = self.state();
        let mut frames = Vec::new();
        let mut frame = state.contexts.iter().find(|(id, _)| *id == context).map(|(_, frame)| frame.clone());
        while let Some(current) = frame.filter(|frame| state.main.as_ref() != Some(frame)) {
            frame = state.parents.get(&current).cloned();
            frames.push(current);
        }
        frames
    }

    /// The execution context of a frame; of the main frame if none is given.
    pub fn context(&self, frame: Option<&str>) -> Option<i64> {
        let state = self.state();
        let frame = frame.or(state.main.as_deref())?;
        state.contexts.iter().rev().find(|(_, known)| known == frame).map(|(id, _)| *id)
    }

    pub async fn call(&self, method: &str, params: Value) -> Result<Value, WorldError> {
        self.session().call(method, params).await.map_err(|error| self.explain(error))
    }

    pub fn explain(&self, error: ProtocolError) -> WorldError {
        match error {
            ProtocolError::Gone if self.is_closed() => WorldError::Interrupted(format!("tab {} is closed", self.who)),
            ProtocolError::Gone => WorldError::Died("the browser is gone".to_string()),
            ProtocolError::TimedOut { .. } => WorldError::Interrupted(format!("the page of {} hangs", self.who)),
            refused => WorldError::Interrupted(refused.to_string()),
        }
    }

    /// Goes to an address, and waits for it as far as it is let.
    pub async fn navigate(&self, url: &str) -> Result<(), WorldError> {
        let before = self.state().document.clone();
        let answer = self.call("Page.navigate", json!({ "url": url })).await?;
        if let Some(problem) = answer["errorText"].as_str() {
            return Err(WorldError::CannotRun(format!("{url} could not be loaded: {problem}")));
        }
        // A fragment of the same document loads nothing.
        if answer["loaderId"].is_string() {
            self.loaded(before).await?;
        }
        Ok(())
    }

    /// Returns when another document than this one is loaded; while requests are kept back, when it is there.
    pub async fn loaded(&self, before: Option<String>) -> Result<(), WorldError> {
        let Some(shared) = self.shared.upgrade() else { return Ok(()) };
        let enough = || self.is_closed() || self.is_as_loaded_as_it_gets() && self.document() != before;
        let late = || WorldError::Interrupted(format!("{} did not finish loading", self.url()));
        timeout(LOAD_LIMIT, shared.until(|_| enough().then_some(()))).await.map_err(|_| late())
    }

    pub fn document(&self) -> Option<String> {
        self.state().document.clone()
    }

    pub async fn evaluate(&self, source: &str) -> Result<Value, WorldError> {
        self.evaluate_in(None, source).await
    }

    /// Runs JavaScript in an execution context; a promise is awaited.
    pub async fn evaluate_in(&self, context: Option<i64>, source: &str) -> Result<Value, WorldError> {
        let mut params =
            json!({ "expression": source, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        if let Some(context) = context {
            params["contextId"] = json!(context);
        }
        match evaluated(self.call("Runtime.evaluate", params).await?) {
            Evaluated::Value(value) => Ok(value),
            Evaluated::Threw(message) => Err(WorldError::Interrupted(message)),
        }
    }

    pub(super) async fn screenshot(&self) -> Result<Vec<u8>, WorldError> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" })).await?;
        let data = shot["data"].as_str().unwrap_or_default();
        base64::engine::general_purpose::STANDARD
            .decode(data)
            .map_err(|error| WorldError::Interrupted(format!("the screenshot cannot be read: {error}")))
    }

    fn tell(&self, what: What) {
        if let (Some(shared), Some(own)) = (self.shared.upgrade(), self.own.get().and_then(Weak::upgrade)) {
            shared.tell(Notice::new(&own, what));
        }
    }

    fn problem(&self, kind: ProblemKind, text: &str) {
        let mut state = self.state();
        if state.problems.len() < MOST_TROUBLES {
            let text = text.lines().next().unwrap_or_default().chars().take(300).collect();
            state.problems.push(PageProblem { kind, text });
        }
    }
}
