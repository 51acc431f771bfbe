//! How a client gets to a document: load, ready, focus.

use std::sync::atomic::Ordering;
use std::time::Duration;

use colobus_model::ClientId;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::{Client, Evaluated, evaluated};
use super::scripts;
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
        self.record.begin_loading();
        self.parked.store(false, Ordering::Relaxed);
        let deadline = Instant::now() + LOAD_LIMIT;
        // To an address that differs in its fragment only, a browser goes without loading anything.
        if url.contains('#') {
            self.navigate(BLANK, deadline).await?;
        }
        self.navigate(url, deadline).await?;
        if first && self.found_leftovers().await? {
            self.leave_and_empty(url).await?;
            self.navigate(url, deadline).await?;
        }
        let status = self.ask("documentStatus", &[]).await?.as_u64().unwrap_or(0);
        if status >= 400 {
            let message = format!("{url} answered with status {status}");
            return Err(WorldError::Interrupted(message));
        }
        self.until_ready(deadline).await?;
        self.focus_once_there().await?;
        self.record.end_loading();
        Ok(())
    }

    /// Leaves whatever document it is on, so that nobody sits in it.
    pub async fn blank(&self) -> Result<(), WorldError> {
        self.record.begin_loading();
        self.parked.store(true, Ordering::Relaxed);
        self.navigate(BLANK, Instant::now() + LOAD_LIMIT).await
    }

    pub(super) async fn navigate(&self, url: &str, deadline: Instant) -> Result<(), WorldError> {
        let before = self.record.document();
        let answer = self.call("Page.navigate", json!({ "url": url })).await?;
        if let Some(problem) = answer["errorText"].as_str() {
            return Err(WorldError::Interrupted(format!("{url} could not be loaded: {problem}")));
        }
        let loaded = self.record.loaded(before.as_deref());
        match tokio::time::timeout_at(deadline, loaded).await {
            Ok(()) => self.navigation_error().map_or(Ok(()), Err),
            Err(_) => {
                Err(WorldError::Interrupted(format!("{url} did not finish loading within {} s", LOAD_LIMIT.as_secs())))
            }
        }
    }

    async fn until_ready(&self, deadline: Instant) -> Result<(), WorldError> {
        let Some(ready) = &self.application.ready else { return Ok(()) };
        loop {
            let problem = match self.is_ready(ready, deadline).await? {
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
            self.ask("settle.frame", &[]).await?;
        }
    }

    /// A promise is ready when it resolves, unless it resolves with false; anything else when it is true.
    async fn is_ready(&self, ready: &str, deadline: Instant) -> Result<Evaluated, WorldError> {
        let params = json!({ "expression": scripts::block(ready) });
        let answer = self.call("Runtime.evaluate", params).await?;
        let result = &answer["result"];
        if result["subtype"] != "promise" {
            // Objects come without their value here; they are there, and that is enough.
            let present = result["objectId"].is_string().then_some(json!(true));
            return Ok(match (evaluated(answer), present) {
                (Evaluated::Value(Value::Null), Some(present)) => Evaluated::Value(present),
                (other, _) => other,
            });
        }
        let params = json!({ "promiseObjectId": result["objectId"], "returnByValue": true });
        let limit = deadline.saturating_duration_since(Instant::now());
        let answer = self.session.send("Runtime.awaitPromise", params).within(limit).await;
        Ok(match evaluated(answer.map_err(|error| self.explain(error))?) {
            Evaluated::Value(Value::Null) => Evaluated::Value(json!(true)),
            other => other,
        })
    }

    /// Where nothing says when a page is ready, it is not before what gets the focus is there.
    async fn focus_once_there(&self) -> Result<(), WorldError> {
        let deadline = Instant::now() + self.limit();
        loop {
            let focused = self.focus().await;
            if focused.is_ok() || self.application.ready.is_some() || Instant::now() >= deadline {
                return focused;
            }
            self.ask("settle.frame", &[]).await?;
        }
    }

    pub async fn focus(&self) -> Result<(), WorldError> {
        let Some(selector) = &self.application.focus else { return Ok(()) };
        match self.ask("input.focus", &[json!(selector)]).await?["problem"].as_str() {
            Some(problem) => Err(WorldError::Interrupted(problem.to_string())),
            None => Ok(()),
        }
    }
}

pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
