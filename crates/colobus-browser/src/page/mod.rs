//! [`Page`]: one tab of a browser, whatever its [`Policy`]. `page_events` keeps what the browser says of it by itself
//! (with `documents`, `frame`, `requests`, `log_entries`, `dialog`); `evaluate`, `load`, `steps`, `pointer`, `typing`, `caret`, `coverage`,
//! `picture`, `fingerprint`, `sent_document` are what can be done in it. `web_workers` are the workers that its scripts start.

mod caret;
mod coverage;
mod dialog;
mod documents;
mod evaluate;
mod fingerprint;
mod frame;
mod intercept;
mod load;
mod log_entries;
mod look;
mod page_events;
mod pointer;
mod proxy_login;
mod requests;
mod sent_document;
mod steps;
mod storage;
mod typing;
mod web_workers;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use colobus_model::Viewport;
use colobus_world::WorldError;

use crate::browser::died;
use crate::policy::{Policy, SetUp, metrics};
use crate::protocol::{Command, ProtocolError, Reply, Session, page, target};

pub use dialog::{DialogAnswer, DialogOpening};
pub use evaluate::Evaluated;
pub use frame::{Frame, FramePath, Lookup};
pub use intercept::{DirectAnswer, StoppedRequest, StoppedResponse};
pub use load::{LOAD_LIMIT, Opening, OpeningOptions};
pub use log_entries::{LogEntry, LogKind};
pub use look::{LookOptions, Shown};
pub use page_events::{Notice, PageListener};
pub use pointer::{MouseAction, Place};
pub use proxy_login::ProxyLogin;
pub use steps::AimedStep;
pub use typing::KeyStroke;
pub use web_workers::{SharedWorkers, WebWorkers};

use page_events::PageEvents;

/// How long anything inside a page may take, unless its owner says otherwise.
const PAGE_LIMIT: Duration = Duration::from_secs(30);

pub struct Page {
    session: Session,
    browser: Session,
    /// The browser's name for it, which is also the name of its main frame.
    target: String,
    /// What messages call it.
    name: String,
    policy: Policy,
    events: Arc<PageEvents>,
    limit: Duration,
    /// It did not answer: nothing can be done with it any more.
    hung: AtomicBool,
}

impl Page {
    /// Takes hold of a page that exists.
    pub(crate) fn attach(
        browser: &Session,
        session_id: &str,
        target: &str,
        name: &str,
        policy: Policy,
        listener: Arc<dyn PageListener>,
        workers: Option<Arc<WebWorkers>>,
    ) -> (Page, SetUp) {
        let events = Arc::new(PageEvents::new(target, policy.clone(), listener, workers));
        let session = browser.attach(session_id, events.clone());
        events.answer_through(session.clone());
        let set_up = policy.set_up(&session);
        let page = Page {
            session,
            browser: browser.clone(),
            target: target.to_string(),
            name: name.to_string(),
            policy,
            events,
            limit: PAGE_LIMIT,
            hung: AtomicBool::new(false),
        };
        (page, set_up)
    }

    /// From now on anything inside the page may take this long.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// How long anything inside the page may take.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    pub fn session_id(&self) -> &str {
        self.session.id()
    }

    pub fn is_hung(&self) -> bool {
        self.hung.load(Ordering::Relaxed)
    }

    pub fn is_closed(&self) -> bool {
        self.events.is_ended() || self.session.is_gone()
    }

    /// Gives it up: it is closed, or no longer needed.
    pub fn abandon(&self) {
        self.events.end();
        self.browser.detach(self.session.id());
    }

    /// Closes it and waits until the browser has done so.
    pub async fn close(&self) -> Result<(), WorldError> {
        let close = target::CloseTarget { target_id: &self.target };
        self.browser.call(close).await.map_err(|error| self.explain(error)).map(|_| ())
    }

    pub async fn bring_to_front(&self) -> Result<(), WorldError> {
        self.call(page::BringToFront {}).await.map(|_| ())
    }

    pub async fn resize(&self, size: Viewport) -> Result<(), WorldError> {
        self.call(metrics(size)).await.map(|_| ())
    }

    pub(crate) async fn call<C: Command>(&self, command: C) -> Result<C::Reply, WorldError> {
        self.session.call(command).await.map_err(|error| self.explain(error))
    }

    /// Waits for the answers to commands that were sent in one go: the browser keeps their order.
    async fn all_done<T: serde::de::DeserializeOwned>(&self, replies: Vec<Reply<T>>) -> Result<(), WorldError> {
        for reply in replies {
            reply.within(self.limit).await.map_err(|error| self.explain(error))?;
        }
        Ok(())
    }

    /// Why nothing can be done in the page, or why it is not the one it should be.
    pub fn navigation_error(&self) -> Option<WorldError> {
        if let Some(error) = self.events.malformed_event() {
            return Some(died(error));
        }
        if self.policy.is_held() {
            if self.session.is_gone() {
                return Some(died(ProtocolError::Gone));
            }
            if self.events.is_ended() {
                return Some(WorldError::Died("a tab of the browser crashed".to_string()));
            }
        } else if self.is_closed() {
            return Some(WorldError::Interrupted(format!("{} is closed", self.name)));
        }
        let url = self.events.went_to()?;
        Some(WorldError::Interrupted(format!("{} navigated away, to {url}", self.name)))
    }

    fn explain(&self, error: ProtocolError) -> WorldError {
        if let ProtocolError::Malformed { .. } = error {
            return died(error);
        }
        self.navigation_error().unwrap_or_else(|| match error {
            ProtocolError::Gone => died(ProtocolError::Gone),
            ProtocolError::TimedOut { limit, .. } => {
                self.hung.store(true, Ordering::Relaxed);
                let limit = limit.as_millis();
                WorldError::Interrupted(format!("{} did not answer within {limit} ms: it hangs", self.name))
            }
            refused => WorldError::Interrupted(refused.to_string()),
        })
    }
}
