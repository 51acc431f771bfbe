//! How a page gets to a document: navigation, reloading, history.

use std::time::Duration;

use colobus_world::WorldError;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout, timeout_at};

use super::evaluate::evaluated;
use super::{Evaluated, Page};
use crate::protocol::page;
use crate::scripts;

/// How long a page may take to load.
pub(super) const LOAD_LIMIT: Duration = Duration::from_secs(30);

impl Page {
    /// A new document is about to come: troubles of the old one no longer count.
    pub fn begin_loading(&self) {
        self.forget_troubles();
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
    pub async fn travel(&self, by: i64, limit: Duration) -> Result<Result<(), &'static str>, WorldError> {
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

    /// What a user's condition says now. A promise is ready when it resolves, unless it resolves with false; anything else
    /// when it is true. Objects count as true.
    pub async fn is_ready(&self, ready: &str, deadline: Instant) -> Result<Evaluated, WorldError> {
        use crate::protocol::runtime::{AwaitPromise, Evaluate};
        let mut answer = self.call(Evaluate::handle(&scripts::block(ready), None)).await?;
        let object = answer.result.object_id.clone();
        match object {
            Some(promise) if answer.result.subtype.as_deref() == Some("promise") => {
                let limit = deadline.saturating_duration_since(Instant::now());
                let awaiting = AwaitPromise { promise_object_id: &promise, return_by_value: true };
                let answer = self.session.send(awaiting).within(limit).await.map_err(|error| self.explain(error))?;
                Ok(match evaluated(answer) {
                    Evaluated::Value(Value::Null) => Evaluated::Value(json!(true)),
                    other => other,
                })
            }
            Some(_) => {
                // Objects come without their value here; they are there, and that is enough.
                answer.result.value.get_or_insert(json!(true));
                Ok(evaluated(answer))
            }
            None => Ok(evaluated(answer)),
        }
    }
}
