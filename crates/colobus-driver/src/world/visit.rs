//! How a client gets to a document: load, do what has to be done first, wait until it is ready, give it the focus.

use std::sync::atomic::Ordering;
use std::time::Duration;

use colobus_browser::{LOAD_LIMIT, Opening, OpeningOptions};
use colobus_model::ClientId;
use tokio::time::Instant;

use super::client::Client;
use crate::settling::quiesce;
use colobus_world::{StepOutcome, WorldError};

pub(super) const BLANK: &str = "about:blank";

/// How an answer begins that the proxy gives itself.
const OF_THE_PROXY: &str = "colobus: ";

/// What a page is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Loaded,
    Usable,
}

impl Client {
    /// Shows the document, ready and focused, to the client with this number.
    pub async fn visit(&self, client: ClientId, url: &str) -> Result<(), WorldError> {
        self.proxy.leave_document();
        let first = self.is_first_load();
        if first {
            self.empty_storage(client, url).await?;
        }
        self.prepare_script(client).await?;
        self.page.begin_loading();
        self.is_blank.store(false, Ordering::Relaxed);
        let deadline = Instant::now() + LOAD_LIMIT;
        // To an address that differs in its fragment only, a browser goes without loading anything.
        if url.contains('#') {
            self.page.navigate_until(BLANK, deadline).await?;
        }
        self.page.navigate_until(url, deadline).await?;
        let loaded = if self.application.after_load.is_empty() { Until::Usable } else { Until::Loaded };
        let mut opening = self.wait_until_open(loaded, first, deadline).await?;
        if first && opening.leftovers {
            self.proxy.leave_document();
            self.leave_and_empty(client, url).await?;
            self.page.navigate_until(url, deadline).await?;
            opening = self.wait_until_open(loaded, false, deadline).await?;
        }
        self.expect_document(url, &opening).await?;
        if loaded == Until::Loaded {
            self.get_in(client).await?;
            opening = self.wait_until_arrived().await?;
            self.expect_document(&self.page.url(), &opening).await?;
        }
        if let (Some(problem), Some(ready)) = (opening.not_ready, &self.application.ready) {
            return Err(WorldError::Interrupted(format!(
                "the page did not get ready within {} s: `{ready}`: {problem}",
                LOAD_LIMIT.as_secs()
            )));
        }
        if let Some(problem) = opening.not_focused {
            return Err(WorldError::Interrupted(problem));
        }
        self.page.end_loading();
        Ok(())
    }

    /// Does what every client has to do before the page can be used. That may lead to another page.
    async fn get_in(&self, client: ClientId) -> Result<(), WorldError> {
        for step in &self.application.after_load {
            let failed = |problem: String| {
                WorldError::Interrupted(format!("`after_load` cannot {step} on {}: {problem}", self.page.url()))
            };
            match self.perform_when_there(&step.with_client(client), LOAD_LIMIT).await? {
                StepOutcome::Done => {}
                StepOutcome::NotApplicable(problem) | StepOutcome::Threw(problem) => return Err(failed(problem)),
            }
            self.page.finish_loading(Instant::now() + LOAD_LIMIT).await;
            quiesce(self, false).await?;
        }
        Ok(())
    }

    /// Waits until the page is usable to which the steps have led. They had their own time, and may have left just now.
    async fn wait_until_arrived(&self) -> Result<Opening, WorldError> {
        let deadline = Instant::now() + LOAD_LIMIT;
        loop {
            self.page.finish_loading(deadline).await;
            let document = self.page.document();
            let opening = self.wait_until_open(Until::Usable, false, deadline).await?;
            if self.page.document() == document || Instant::now() >= deadline {
                return Ok(opening);
            }
        }
    }

    /// Waits until the document is loaded or, if it has to be usable, ready and focused. Without `ready`, a page is ready once the
    /// element of `focus` exists.
    async fn wait_until_open(&self, until: Until, fresh: bool, deadline: Instant) -> Result<Opening, WorldError> {
        let usable = until == Until::Usable;
        let ready = self.application.ready.as_deref().filter(|_| usable);
        let focus_limit = if ready.is_some() { Duration::ZERO } else { self.page.limit() };
        let ready_limit = deadline.saturating_duration_since(Instant::now());
        let focus = self.application.focus.as_deref().filter(|_| usable);
        self.page.wait_until_open(&OpeningOptions { fresh, ready, ready_limit, focus, focus_limit }).await
    }

    /// An error if what was opened is no document.
    async fn expect_document(&self, url: &str, opening: &Opening) -> Result<(), WorldError> {
        match opening.status {
            status @ 400.. => Err(WorldError::Interrupted(self.refusal(url, status).await?)),
            _ => Ok(()),
        }
    }

    /// Why a document is none: what the proxy says if nothing answered, else the status of the answer.
    async fn refusal(&self, url: &str, status: u64) -> Result<String, WorldError> {
        let text = self.page.value_in(None, "document.body?.textContent.slice(0, 500) ?? ''").await?;
        let said = text.as_str().and_then(|text| text.strip_prefix(OF_THE_PROXY)).map(str::trim_end);
        Ok(match said {
            Some(why) => format!("{url} cannot be opened: {why}"),
            None => format!("{url} answered with status {status}"),
        })
    }

    /// Leaves the document that it is on.
    pub async fn blank(&self) -> Result<(), WorldError> {
        self.proxy.leave_document();
        self.page.begin_loading();
        self.is_blank.store(true, Ordering::Relaxed);
        self.page.navigate_until(BLANK, Instant::now() + LOAD_LIMIT).await
    }

    pub async fn focus(&self) -> Result<(), WorldError> {
        let Some(selector) = &self.application.focus else { return Ok(()) };
        self.page.main_frame().focus(selector).await?.map_err(WorldError::Interrupted)
    }
}
