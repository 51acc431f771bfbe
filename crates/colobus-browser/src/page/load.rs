//! How a page gets to a document: navigation, reloading, history.

use std::time::Duration;

use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, timeout, timeout_at};

use super::evaluate::evaluated;
use super::{Evaluated, Page};
use crate::protocol::runtime::Evaluate;
use crate::protocol::{ProtocolError, page};
use crate::scripts;

/// How long a page may take to load, and to get ready.
pub const LOAD_LIMIT: Duration = Duration::from_secs(30);

impl Page {
    /// A new document is about to come: log entries of the old one no longer count.
    pub fn begin_loading(&self) {
        self.forget_log_entries();
        let mut state = self.events.state();
        state.documents.expected = true;
        state.documents.went_to = None;
    }

    /// From now on a held page that goes to another document has left.
    pub fn end_loading(&self) {
        self.events.state().documents.expected = false;
    }

    /// The main frame's document.
    pub fn document(&self) -> Option<String> {
        self.events.state().documents.document.clone()
    }

    pub fn url(&self) -> String {
        self.events.state().documents.url.clone()
    }

    /// How often the address has changed, also within a document.
    pub fn navigations(&self) -> u64 {
        self.events.state().documents.navigations
    }

    /// Goes to an address, and waits until its document is loaded, as far as requests are let through.
    pub async fn navigate(&self, url: &str) -> Result<(), WorldError> {
        self.navigate_until(url, Instant::now() + LOAD_LIMIT).await
    }

    pub async fn navigate_until(&self, url: &str, deadline: Instant) -> Result<(), WorldError> {
        let before = self.document();
        let answer = self.call(page::Navigate { url }).await?;
        if let Some(problem) = answer.error_text {
            return Err(WorldError::Interrupted(format!("{url} could not be loaded: {problem}")));
        }
        // A place in the same document loads nothing.
        match answer.loader_id {
            Some(_) => self.loaded(before, url, deadline).await,
            None => Ok(()),
        }
    }

    pub async fn reload(&self) -> Result<(), WorldError> {
        let before = self.document();
        self.call(page::Reload {}).await?;
        self.loaded(before, &self.url(), Instant::now() + LOAD_LIMIT).await
    }

    /// Returns when the page is on its way to no other document.
    pub async fn finish_loading(&self, deadline: Instant) {
        let finished = self.events.until(|state| (state.ended || state.is_as_loaded_as_it_gets()).then_some(()));
        let _ = timeout_at(deadline, finished).await;
    }

    /// Returns when a document other than `before` is there and loaded.
    async fn loaded(&self, before: Option<String>, url: &str, deadline: Instant) -> Result<(), WorldError> {
        let loaded = self.events.until(|state| {
            let is_there = state.documents.document != before && state.is_as_loaded_as_it_gets();
            (state.ended || state.malformed.is_some() || is_there).then_some(())
        });
        match timeout_at(deadline, loaded).await {
            Ok(()) => self.navigation_error().map_or(Ok(()), Err),
            Err(_) => {
                Err(WorldError::Interrupted(format!("{url} did not finish loading within {} s", LOAD_LIMIT.as_secs())))
            }
        }
    }

    /// Goes back or forward by so many entries. False if the history does not go that far, or the page does not go there
    /// in time. A page may come back as it was left, or within the same document: then nothing is loaded.
    pub async fn go_in_history(&self, by: i64, limit: Duration) -> Result<Result<(), &'static str>, WorldError> {
        let history = self.history(limit).await?;
        let entry = usize::try_from(history.current_index + by).ok().and_then(|index| history.entries.get(index));
        let Some(entry) = entry else { return Ok(Err("the history of the tab does not go that far")) };
        let before = self.navigations();
        self.call(page::NavigateToHistoryEntry { entry_id: entry.id }).await?;
        let there = self
            .events
            .until(|state| (state.documents.navigations != before && state.is_as_loaded_as_it_gets()).then_some(()));
        Ok(timeout(limit, there).await.map_err(|_| "the page does not go back or forward"))
    }

    /// The visited addresses. The page knows where it is before the browser's list does.
    async fn history(&self, limit: Duration) -> Result<page::NavigationHistory, WorldError> {
        let deadline = Instant::now() + limit;
        loop {
            let history = self.call(page::GetNavigationHistory {}).await?;
            let current = usize::try_from(history.current_index).ok().and_then(|index| history.entries.get(index));
            if current.is_some_and(|entry| entry.url == self.url()) || Instant::now() >= deadline {
                return Ok(history);
            }
        }
    }

    /// The script that runs in every new document from now on, in place of the one with the name `last`. Returns its name.
    pub async fn replace_script(&self, last: Option<&str>, source: &str) -> Result<String, WorldError> {
        if let Some(identifier) = last {
            drop(self.session.send(page::RemoveScriptToEvaluateOnNewDocument { identifier }));
        }
        Ok(self.call(page::AddScriptToEvaluateOnNewDocument { source }).await?.identifier)
    }

    /// Waits until a document that was loaded is ready and has its focus, as far as it gets in time. A page may load itself again
    /// meanwhile.
    pub async fn wait_until_open(&self, options: &OpeningOptions<'_>) -> Result<Opening, WorldError> {
        let OpeningOptions { ready, ready_limit, focus, focus_limit, .. } = *options;
        let (ready, deadline) = (ready.map(scripts::block), Instant::now() + ready_limit);
        let mut fresh = options.fresh;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let options = json!({
                "fresh": fresh, "readyWhen": ready, "readyMs": milliseconds(left),
                "focus": focus, "focusMs": milliseconds(focus_limit),
            });
            // The page itself gives up in time; a promise that never resolves does not.
            let asked = self.session.send(Evaluate::value(&scripts::call("opening", &[options]), None));
            match asked.within(left + focus_limit + self.limit()).await {
                Err(ProtocolError::Refused { .. }) if Instant::now() < deadline => {
                    self.finish_loading(deadline).await;
                    // What is kept now is this document's own.
                    fresh = false;
                }
                Err(error) => return Err(self.explain(error)),
                Ok(answer) => {
                    return match evaluated(answer) {
                        Evaluated::Value(value) => serde_json::from_value(value).map_err(|error| {
                            WorldError::Interrupted(format!("what a document says of itself is unreadable: {error}"))
                        }),
                        Evaluated::Threw(message) => {
                            Err(self.navigation_error().unwrap_or(WorldError::Interrupted(message)))
                        }
                    };
                }
            }
        }
    }
}

/// What is asked of a document that was just loaded.
pub struct OpeningOptions<'a> {
    /// Nothing may be there that an earlier document kept; if something is, nothing is waited for.
    pub fresh: bool,
    /// The user's condition. A promise is ready when it resolves, unless it resolves with false; anything else when it is true.
    pub ready: Option<&'a str>,
    pub ready_limit: Duration,
    /// Selects what gets the focus.
    pub focus: Option<&'a str>,
    /// How long what gets the focus may be missing.
    pub focus_limit: Duration,
}

/// What a document that was just loaded says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    /// An earlier document kept something.
    pub leftovers: bool,
    /// The HTTP status; zero if it came without one.
    pub status: u64,
    /// Why it is not ready, or cannot have the focus.
    pub not_ready: Option<String>,
    pub not_focused: Option<String>,
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
