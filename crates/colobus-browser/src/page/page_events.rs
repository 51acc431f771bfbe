//! [`PageEvents`]: what the browser has said of one page by itself: documents, frames, requests, log entries, dialogs, its end.
//! It is fed by the page's session, read by [`super::Page`], and gives the answers that cannot wait, so that no dialog
//! ever blocks a run. A [`PageListener`] hears what others may want to know at once.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;
use tokio::sync::watch;

use super::coverage::ParsedScripts;
use super::dialog::{DialogAnswer, DialogOpening};
use super::documents::Documents;
use super::frame::Frames;
use super::log_entries::LogEntry;
use super::proxy_login::ProxyLogin;
use super::requests::Requests;
use super::web_workers::WebWorkers;
use crate::policy::{Policy, RECORDER_BINDING, SERVICE_WORKER_BINDING};
use crate::protocol::page::NavigationType;
use crate::protocol::{Event, EventSink, ProtocolError, Session};

/// Hears what a page does by itself, in the order in which it happens. Must not block.
pub trait PageListener: Send + Sync {
    /// The answer to a dialog. Asked where Colobus acts; a person answers otherwise.
    fn dialog(&self, dialog: &DialogOpening) -> DialogAnswer;

    fn notice(&self, notice: Notice);

    /// Anything at all has happened to the page.
    fn changed(&self);
}

/// Something that happened in a page.
#[derive(Clone, Debug)]
pub enum Notice {
    /// A CSS selector matches several visible elements: the first was taken.
    TookTheFirst {
        locator: String,
    },
    /// A message of the recorder's script in the document with this execution context.
    RecorderMessage {
        context: i64,
        payload: String,
    },
    /// The main frame shows another document, or another place of the same one. `kind` is what the browser called the
    /// navigation when it started.
    Navigated {
        url: String,
        within_document: bool,
        kind: NavigationType,
    },
    /// Page code is about to navigate the main frame.
    NavigationRequested,
    /// The page opens a tab with this address. The browser may say so twice.
    OpensTab {
        url: String,
    },
    /// The main frame's document has been read, or has finished loading.
    DocumentRead,
    DialogClosed {
        kind: String,
        answer: DialogAnswer,
    },
}

pub(super) struct PageEvents {
    pub(super) policy: Policy,
    pub(super) listener: Arc<dyn PageListener>,
    workers: Option<Arc<WebWorkers>>,
    state: Mutex<State>,
    pub(super) changes: watch::Sender<u64>,
    /// For answers; set as soon as there is a session.
    session: OnceLock<Session>,
}

pub(super) struct State {
    pub documents: Documents,
    pub frames: Frames,
    pub requests: Requests,
    /// It crashed or is closed.
    pub ended: bool,
    pub malformed: Option<ProtocolError>,
    /// What the page wants to be dragged at the moment.
    pub drag: Option<Value>,
    /// The kind of the dialog that is open.
    pub dialog: Option<String>,
    pub dialogs_closed: usize,
    pub concurrent: bool,
    pub log_entries: Vec<LogEntry>,
    pub scripts: ParsedScripts,
    /// Shown to the proxy when it asks.
    pub proxy_login: Option<ProxyLogin>,
}

impl PageEvents {
    pub fn new(
        target: &str,
        policy: Policy,
        listener: Arc<dyn PageListener>,
        workers: Option<Arc<WebWorkers>>,
    ) -> PageEvents {
        let state = State {
            // The main frame is called like the page.
            documents: Documents::new(target),
            frames: Frames::default(),
            requests: Requests::default(),
            ended: false,
            malformed: None,
            drag: None,
            dialog: None,
            dialogs_closed: 0,
            concurrent: false,
            log_entries: Vec::new(),
            scripts: ParsedScripts::default(),
            proxy_login: None,
        };
        PageEvents {
            policy,
            listener,
            workers,
            state: Mutex::new(state),
            changes: watch::Sender::default(),
            session: OnceLock::new(),
        }
    }

    pub fn answer_through(&self, session: Session) {
        // Set once, right after attaching.
        let _ = self.session.set(session);
    }

    pub(super) fn session(&self) -> Option<&Session> {
        self.session.get()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_ended(&self) -> bool {
        self.state().ended
    }

    pub fn end(&self) {
        self.state().ended = true;
        self.changed();
    }

    pub fn malformed_event(&self) -> Option<ProtocolError> {
        self.state().malformed.clone()
    }

    pub(super) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
        self.listener.changed();
    }

    /// Returns what `look` finds as soon as it finds something; looks again whenever the browser says something.
    pub async fn until<T>(&self, look: impl Fn(&mut State) -> Option<T>) -> T {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if let Some(found) = look(&mut self.state()) {
                return found;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl EventSink for PageEvents {
    fn event(&self, event: &Event) {
        match event {
            Event::FrameAttached(attached) => self.state().frames.attached(attached),
            Event::FrameNavigated(navigated) => self.navigated(&navigated.frame),
            Event::NavigatedWithinDocument(navigated) => self.navigated_within(navigated),
            Event::FrameRequestedNavigation(requested) => self.navigation_requested(requested),
            Event::FrameStartedNavigating(started) => self.state().documents.started_navigating(started),
            Event::FrameStartedLoading(started) => self.state().documents.started_loading(&started.frame_id),
            Event::FrameStoppedLoading(stopped) => self.stopped_loading(&stopped.frame_id),
            Event::LifecycleEvent(lifecycle) => self.state().documents.lifecycle(lifecycle),
            Event::DomContentEventFired(_) => self.listener.notice(Notice::DocumentRead),
            Event::WindowOpen(open) => self.listener.notice(Notice::OpensTab { url: open.url.clone() }),
            Event::JavaScriptDialogOpening(opening) => self.dialog_opened(opening),
            Event::JavaScriptDialogClosed(closed) => self.dialog_closed(closed),
            Event::TargetCrashed(_) | Event::Detached(_) => {
                self.state().ended = true;
                self.session.get().into_iter().for_each(Session::abandon);
            }
            Event::DragIntercepted(drag) => self.state().drag = Some(drag.data.clone()),
            Event::AttachedToTarget(_) | Event::DetachedFromTarget(_) => {
                if let (Some(session), Some(workers)) = (self.session.get(), &self.workers) {
                    workers.event(session, event);
                }
            }
            Event::ExceptionThrown(thrown) => self.exception(&thrown.exception_details),
            Event::ConsoleApiCalled(called) => self.console(called),
            Event::LogEntryAdded(added) => self.logged(&added.entry),
            Event::BindingCalled(called) => {
                if called.name == RECORDER_BINDING {
                    let (context, payload) = (called.execution_context_id, called.payload.clone());
                    self.listener.notice(Notice::RecorderMessage { context, payload });
                } else if called.name == SERVICE_WORKER_BINDING {
                    self.pass_service_workers_by(called.execution_context_id);
                }
            }
            Event::ExecutionContextCreated(created) => self.state().frames.context_created(&created.context),
            Event::ExecutionContextDestroyed(destroyed) => {
                self.state().frames.context_destroyed(destroyed.execution_context_id);
            }
            Event::RequestPaused(paused) => self.paused(paused),
            Event::AuthRequired(challenge) => self.challenged(challenge),
            Event::ScriptParsed(parsed) => self.script_parsed(parsed),
            Event::RequestWillBeSent(_)
            | Event::ResponseReceived(_)
            | Event::DataReceived(_)
            | Event::LoadingFinished(_)
            | Event::LoadingFailed(_)
            | Event::WebSocketCreated(_)
            | Event::NetworkMoved => self.network(event),
            // Of other sessions.
            Event::Paused(_) | Event::TargetCreated(_) => return,
        }
        self.changed();
    }

    fn malformed(&self, error: ProtocolError) {
        self.state().malformed.get_or_insert(error);
        self.changed();
    }

    fn ended(&self) {
        self.end();
    }
}
