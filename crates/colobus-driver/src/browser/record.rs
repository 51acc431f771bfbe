//! [`Record`]: what the browser has told of one client's page by itself: loads, errors, dialogs, crashes. It also gives
//! the answers that cannot wait, so that no dialog or pop-up ever blocks a run.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use colobus_model::{ErrorKind, PageError};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::notes::Notes;
use super::protocol::{EventSink, Session};
use super::workers::WebWorkers;

pub struct Record {
    notes: Arc<Notes>,
    workers: Arc<WebWorkers>,
    state: Mutex<State>,
    changes: watch::Sender<u64>,
    /// For answers; set as soon as there is a session.
    session: OnceLock<Session>,
}

#[derive(Default)]
struct State {
    /// The main frame's document, and the last one whose load event has fired.
    document: Option<String>,
    loaded: Option<String>,
    /// Whether a new document is expected at the moment.
    loading: bool,
    /// Where the page went although nobody expected it.
    went_to: Option<String>,
    crashed: bool,
    /// What the page wants to be dragged at the moment.
    drag: Option<Value>,
    /// How often a piece of a response arrived in the page.
    pieces: u64,
    concurrent: bool,
    errors: Vec<PageError>,
}

impl Record {
    pub fn new(notes: Arc<Notes>, workers: Arc<WebWorkers>) -> Record {
        Record { notes, workers, state: Mutex::default(), changes: watch::Sender::default(), session: OnceLock::new() }
    }

    pub fn answer_through(&self, session: Session) {
        // Set once, right after attaching.
        let _ = self.session.set(session);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new document is about to come: what the old one did no longer matters.
    pub fn begin_loading(&self) {
        self.forget();
        let mut state = self.state();
        state.loading = true;
        state.went_to = None;
    }

    /// A new interaction begins on whatever document is there.
    pub fn forget(&self) {
        let mut state = self.state();
        state.concurrent = false;
        state.errors.clear();
    }

    pub fn end_loading(&self) {
        self.state().loading = false;
    }

    /// From now on errors belong to the concurrent part.
    pub fn begin_concurrent(&self) {
        self.state().concurrent = true;
    }

    pub fn add_error(&self, kind: ErrorKind, text: String, place: Option<String>) {
        let mut state = self.state();
        let during_concurrent = state.concurrent;
        state.errors.push(PageError { kind, text, place, during_concurrent });
    }

    pub fn errors(&self) -> Vec<PageError> {
        self.state().errors.clone()
    }

    /// Where the page navigated to although nobody expected it.
    pub fn went_to(&self) -> Option<String> {
        self.state().went_to.clone()
    }

    pub fn is_crashed(&self) -> bool {
        self.state().crashed
    }

    /// What the page has begun to drag; returns when the browser has said it, or with nothing when the page crashed.
    pub async fn dragged(&self) -> Option<Value> {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let drag = self.state().drag.take();
            if drag.is_some() || self.is_crashed() || changes.changed().await.is_err() {
                return drag;
            }
        }
    }

    /// Returns when the page has gone somewhere although nobody expected it, or crashed.
    pub async fn departure(&self) {
        let mut changes = self.changes.subscribe();
        while self.went_to().is_none() && !self.is_crashed() && changes.changed().await.is_ok() {}
    }

    /// How often a piece of a response has arrived in the page.
    pub fn pieces(&self) -> u64 {
        self.state().pieces
    }

    /// Returns when more pieces of responses have arrived than `before`.
    pub async fn more_pieces(&self, before: u64) {
        let mut changes = self.changes.subscribe();
        while self.pieces() <= before && changes.changed().await.is_ok() {}
    }

    /// Returns when a document other than `before` is there and loaded, or the page crashed.
    pub async fn loaded(&self, before: Option<&str>) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            {
                let state = self.state();
                let fresh = state.document.is_some() && state.document.as_deref() != before;
                if state.crashed || fresh && state.document == state.loaded {
                    return;
                }
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// The document that the main frame shows.
    pub fn document(&self) -> Option<String> {
        self.state().document.clone()
    }

    fn navigated(&self, frame: &Value) {
        if frame["parentId"].is_string() {
            return;
        }
        let mut state = self.state();
        state.document = frame["loaderId"].as_str().map(str::to_string);
        if !state.loading {
            state.went_to = frame["url"].as_str().map(str::to_string);
        }
    }

    fn dialog(&self, params: &Value) {
        let kind = params["type"].as_str().unwrap_or("dialog");
        // The question whether to leave a page is answered yes: it is us who want to leave.
        let accept = kind == "beforeunload";
        if !accept {
            let message = params["message"].as_str().unwrap_or_default();
            self.notes.add(format!("a page opened a dialog ({kind}), which was dismissed: {message}"));
        }
        if let Some(session) = self.session.get() {
            drop(session.send("Page.handleJavaScriptDialog", json!({ "accept": accept })));
        }
    }

    fn exception(&self, details: &Value) {
        let description = details["exception"]["description"].as_str();
        let value = &details["exception"]["value"];
        let text = match (description, value) {
            (Some(description), _) => description.lines().next().unwrap_or_default().to_string(),
            (None, Value::String(value)) => value.clone(),
            (None, Value::Null) => details["text"].as_str().unwrap_or("exception").to_string(),
            (None, value) => value.to_string(),
        };
        self.add_error(ErrorKind::Uncaught, text, place(details));
    }

    fn console(&self, params: &Value) {
        if params["type"] != "error" && params["type"] != "assert" {
            return;
        }
        let arguments = params["args"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text: Vec<String> = arguments.iter().map(printed).collect();
        let frame = &params["stackTrace"]["callFrames"][0];
        self.add_error(ErrorKind::Console, text.join(" "), place(frame));
    }

    fn log(&self, entry: &Value) {
        if entry["level"] == "error" {
            let text = entry["text"].as_str().unwrap_or_default();
            let url = entry["url"].as_str().map(str::to_string);
            let kind = refusal(entry).map_or(ErrorKind::Console, ErrorKind::Refused);
            self.add_error(kind, text.to_string(), url);
        }
    }
}

impl EventSink for Record {
    fn event(&self, method: &str, params: &Value) {
        match method {
            "Page.frameNavigated" => self.navigated(&params["frame"]),
            "Page.lifecycleEvent" if params["name"] == "load" => {
                self.state().loaded = params["loaderId"].as_str().map(str::to_string);
            }
            "Page.javascriptDialogOpening" => self.dialog(params),
            "Inspector.targetCrashed" | "Inspector.detached" => {
                self.state().crashed = true;
                self.session.get().into_iter().for_each(Session::abandon);
            }
            "Input.dragIntercepted" => self.state().drag = Some(params["data"].clone()),
            "Target.attachedToTarget" | "Target.detachedFromTarget" => {
                if let Some(session) = self.session.get() {
                    self.workers.event(session, method, params);
                }
            }
            "Network.dataReceived" => self.state().pieces += 1,
            "Runtime.exceptionThrown" => self.exception(&params["exceptionDetails"]),
            "Runtime.consoleAPICalled" => self.console(params),
            "Log.entryAdded" => self.log(&params["entry"]),
            _ => return,
        }
        self.changes.send_modify(|count| *count += 1);
    }

    fn ended(&self) {
        self.state().crashed = true;
        self.changes.send_modify(|count| *count += 1);
    }
}

/// The status with which the server refused a request, if that is what the browser logs.
fn refusal(entry: &Value) -> Option<u16> {
    let text = entry["text"].as_str().filter(|_| entry["source"] == "network")?;
    let (_, status) = text.split_once("status of ")?;
    status.split(' ').next()?.parse().ok()
}

/// `url:line:column`, counted from one, of anything that has these three.
fn place(of: &Value) -> Option<String> {
    let url = of["url"].as_str().filter(|url| !url.is_empty())?;
    let (line, column) = (of["lineNumber"].as_u64()?, of["columnNumber"].as_u64()?);
    Some(format!("{url}:{}:{}", line + 1, column + 1))
}

fn printed(argument: &Value) -> String {
    match (&argument["value"], argument["description"].as_str()) {
        (Value::String(text), _) => text.clone(),
        (Value::Null, Some(description)) => description.lines().next().unwrap_or_default().to_string(),
        (value, _) => value.to_string(),
    }
}
