//! Logging in: the steps of one client, performed in a session of their own, whose traffic is not recorded. What they leave in
//! the browser is the login.

use std::sync::Arc;

use colobus_browser::{LOAD_LIMIT, StorageState, StoredOrigin};
use colobus_model::{ClientId, Step, UrlParts};
use serde_json::Value;
use tokio::time::Instant;
use tracing::info;

use crate::settling::{Barrier, Look};
use crate::world::{BrowserWorld, Client};
use colobus_world::{StepOutcome, WorldError};

/// The longest part of the page that an error shows.
const SHOWN: &str = "(document.body?.innerText ?? '').trim().replace(/\\s+/g, ' ').slice(0, 300)";

impl BrowserWorld {
    /// Performs the steps of one login.
    pub(super) async fn log_in(&self, id: ClientId, url: &str, steps: &[Step]) -> Result<StorageState, WorldError> {
        info!(target: "world", client = %id, steps = steps.len(), "logs in");
        let shared = &self.shared;
        let client = Client::open(&self.browser, &self.targets, shared, self.seams(None)).await?;
        let barrier = Barrier::new(shared.server.clone(), Arc::default(), shared.costs.clone());
        let url = url.replace("{doc}", &shared.fresh_document());
        let performed = Attempt { world: self, id, client: &client, barrier }.perform(&url, steps).await;
        client.close().await;
        performed
    }
}

struct Attempt<'a> {
    world: &'a BrowserWorld,
    id: ClientId,
    client: &'a Client,
    barrier: Barrier,
}

impl Attempt<'_> {
    async fn perform(&self, url: &str, steps: &[Step]) -> Result<StorageState, WorldError> {
        let page = &self.client.page;
        self.client.prepare_script(self.id).await?;
        // It stays so: a login may lead from page to page.
        page.begin_loading();
        if let Err(WorldError::Interrupted(problem)) = page.navigate(url).await {
            return Err(self.failed("", &problem).await);
        }
        self.settle().await?;
        for step in steps {
            match self.client.perform_when_there(&self.world.shared.logins.filled(step), LOAD_LIMIT).await {
                Ok(StepOutcome::Done) => self.settle().await?,
                Ok(StepOutcome::NotApplicable(problem) | StepOutcome::Threw(problem))
                | Err(WorldError::Interrupted(problem)) => {
                    return Err(self.failed(&format!(" at `{step}`"), &problem).await);
                }
                Err(error) => return Err(error),
            }
        }
        let state = self.left_behind().await?;
        if state.is_empty() {
            let problem =
                "its steps left neither cookies nor local storage, so that the application does not know it again";
            return Err(self.failed("", problem).await);
        }
        Ok(state)
    }

    /// Waits until nothing moves any more. A document that goes away meanwhile makes room for the next.
    async fn settle(&self) -> Result<(), WorldError> {
        let deadline = Instant::now() + LOAD_LIMIT;
        loop {
            self.client.page.finish_loading(deadline).await;
            let clients = std::slice::from_ref(self.client);
            match self.barrier.settle(clients, &self.client.application.settle, Look::Joining).await {
                Err(WorldError::Interrupted(_)) if Instant::now() < deadline => {}
                // The steps say what they need; a page that never rests may have it.
                settled => return settled.map(|_| ()),
            }
        }
    }

    /// What the session keeps: its cookies, and the local storage of the page that the steps ended on.
    async fn left_behind(&self) -> Result<StorageState, WorldError> {
        let page = &self.client.page;
        let cookies = self.client.context.cookies().await?;
        let mut origins = Vec::new();
        if let Some(parts) = UrlParts::of(&page.url()) {
            let origin = parts.origin().to_string();
            origins.push(StoredOrigin { local_storage: page.local_storage(&origin).await?, origin });
        }
        Ok(StorageState { cookies, origins })
    }

    /// Why the client could not log in, and what was seen.
    async fn failed(&self, place: &str, problem: &str) -> WorldError {
        let page = &self.client.page;
        let text = page.value_in(None, SHOWN).await.unwrap_or_default();
        let shown = match &text {
            Value::String(text) if !text.is_empty() => format!("shows: {text}"),
            _ => "shows no text".to_string(),
        };
        let said = format!("client {} could not log in{place}: {problem}\n  {} {shown}", self.id, page.url());
        WorldError::CannotRun(self.world.shared.logins.hide(&said))
    }
}
