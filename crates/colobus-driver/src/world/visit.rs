//! How a client gets to a document: load, wait until it is ready, give it the focus.

use std::sync::atomic::Ordering;
use std::time::Duration;

use colobus_browser::{Evaluated, truthy};
use colobus_model::ClientId;
use serde_json::json;
use tokio::time::Instant;

use super::client::Client;
use colobus_world::WorldError;

/// How long a page may take to load and to get ready.
pub(super) const LOAD_LIMIT: Duration = Duration::from_secs(30);
pub(super) const BLANK: &str = "about:blank";

impl Client {
    /// Shows the document, ready and focused, to the client with this number.
    pub async fn visit(&self, client: ClientId, url: &str) -> Result<(), WorldError> {
        let first = self.is_first_load();
        if first {
            self.empty_storage(url).await?;
        }
        self.prepare_script(client.0).await?;
        self.page.begin_loading();
        self.parked.store(false, Ordering::Relaxed);
        let deadline = Instant::now() + LOAD_LIMIT;
        // To an address that differs in its fragment only, a browser goes without loading anything.
        if url.contains('#') {
            self.page.navigate_until(BLANK, deadline).await?;
        }
        self.page.navigate_until(url, deadline).await?;
        if first && self.found_leftovers().await? {
            self.leave_and_empty(url).await?;
            self.page.navigate_until(url, deadline).await?;
        }
        let status = self.page.ask("documentStatus", &[]).await?.as_u64().unwrap_or(0);
        if status >= 400 {
            let message = format!("{url} answered with status {status}");
            return Err(WorldError::Interrupted(message));
        }
        self.until_ready(deadline).await?;
        self.focus_once_there().await?;
        self.page.end_loading();
        Ok(())
    }

    /// Leaves whatever document it is on, so that nobody sits in it.
    pub async fn blank(&self) -> Result<(), WorldError> {
        self.page.begin_loading();
        self.parked.store(true, Ordering::Relaxed);
        self.page.navigate_until(BLANK, Instant::now() + LOAD_LIMIT).await
    }

    async fn until_ready(&self, deadline: Instant) -> Result<(), WorldError> {
        let Some(ready) = &self.application.ready else { return Ok(()) };
        loop {
            let problem = match self.page.is_ready(ready, deadline).await? {
                Evaluated::Value(value) if truthy(&value) => return Ok(()),
                Evaluated::Value(value) => format!("its value is {value}"),
                Evaluated::Threw(message) => message,
            };
            if Instant::now() >= deadline {
                return Err(WorldError::Interrupted(format!(
                    "the page did not get ready within {} s: `{ready}`: {problem}",
                    LOAD_LIMIT.as_secs()
                )));
            }
            self.page.ask("settle.frame", &[]).await?;
        }
    }

    /// Where nothing says when a page is ready, it is not before what gets the focus is there.
    async fn focus_once_there(&self) -> Result<(), WorldError> {
        let deadline = Instant::now() + self.page.limit();
        loop {
            let focused = self.focus().await;
            if focused.is_ok() || self.application.ready.is_some() || Instant::now() >= deadline {
                return focused;
            }
            self.page.ask("settle.frame", &[]).await?;
        }
    }

    pub async fn focus(&self) -> Result<(), WorldError> {
        let Some(selector) = &self.application.focus else { return Ok(()) };
        match self.page.ask("input.focus", &[json!(selector)]).await?["problem"].as_str() {
            Some(problem) => Err(WorldError::Interrupted(problem.to_string())),
            None => Ok(()),
        }
    }
}
