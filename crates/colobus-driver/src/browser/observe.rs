//! What a client shows, as an [`Observation`].

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_model::{Observation, Png};
use serde_json::{Map, Value, json};

use super::client::{Client, Evaluated};
use super::load::truthy;
use super::scripts;
use colobus_world::{ObserveOptions, Survey, WorldError};

impl Client {
    pub async fn observe(&self, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        let screenshot = async { if wanted.pixels { self.screenshot().await.map(Some) } else { Ok(None) } };
        let dom = async { if wanted.dom { self.dom().await.map(Some) } else { Ok(None) } };
        let text = async { if wanted.text { self.text().await.map(Some) } else { Ok(None) } };
        let state = async { if wanted.state { self.state().await } else { Ok(None) } };
        let (screenshot, dom, text, state) = tokio::try_join!(screenshot, dom, text, state)?;
        let broken_invariants = self.broken_invariants().await?;
        let carets = self.carets().await?.map(Box::new);
        match self.navigation_error() {
            Some(elsewhere) => Err(elsewhere),
            None => {
                let errors = self.record.errors();
                Ok(Observation { screenshot, dom, text, state, broken_invariants, carets, errors })
            }
        }
    }

    /// A picture without what belongs to this user alone, such as the mark of the field that has the focus.
    async fn screenshot(&self) -> Result<Png, WorldError> {
        self.ask("neutralLook", &[json!(true)]).await?;
        let picture = self.capture().await;
        self.ask("neutralLook", &[json!(false)]).await?;
        picture
    }

    async fn capture(&self) -> Result<Png, WorldError> {
        let options = json!({ "format": "png", "optimizeForSpeed": true, "captureBeyondViewport": false });
        let answer = self.call("Page.captureScreenshot", options).await?;
        let unreadable = || WorldError::Interrupted("the browser's screenshot is unreadable".to_string());
        let encoded = answer["data"].as_str().ok_or_else(unreadable)?;
        let bytes = BASE64.decode(encoded).map_err(|_| unreadable())?;
        Ok(Png(bytes.into()))
    }

    async fn dom(&self) -> Result<String, WorldError> {
        let ignored = scripts::ignored_selectors(&self.application);
        let dom = self.ask("canonicalDom", &[json!(ignored)]).await?;
        Ok(dom.as_str().unwrap_or_default().to_string())
    }

    /// What the page offers to a user.
    pub async fn survey(&self) -> Result<Survey, WorldError> {
        let seen = self.ask("discover", &[]).await?;
        serde_json::from_value(seen)
            .map_err(|error| WorldError::Interrupted(format!("what the page offers cannot be read: {error}")))
    }

    /// The names of the invariants that are not true now.
    async fn broken_invariants(&self) -> Result<Option<Vec<String>>, WorldError> {
        let invariants = &self.application.invariants;
        let mut broken = Vec::new();
        for invariant in invariants {
            match self.evaluate(&scripts::block(&invariant.js), self.limit()).await? {
                Evaluated::Value(value) if truthy(&value) => {}
                Evaluated::Value(_) => broken.push(invariant.name.clone()),
                Evaluated::Threw(message) => broken.push(format!("{} ({message})", invariant.name)),
            }
        }
        Ok((!invariants.is_empty()).then_some(broken))
    }

    async fn text(&self) -> Result<Vec<String>, WorldError> {
        let ignored = scripts::ignored_selectors(&self.application);
        let passages = self.ask("visibleText", &[json!(ignored)]).await?;
        let passage = |value: &Value| value.as_str().map(str::to_string);
        Ok(passages.as_array().into_iter().flatten().filter_map(passage).collect())
    }

    async fn state(&self) -> Result<Option<Value>, WorldError> {
        let Some(source) = &self.application.state else { return Ok(None) };
        match self.evaluate(&scripts::block(source), self.limit()).await? {
            Evaluated::Value(value) => Ok(Some(sorted(value))),
            Evaluated::Threw(message) => {
                Err(WorldError::Interrupted(format!("`state` of the configuration failed in the page: {message}")))
            }
        }
    }
}

/// Keys in order, so that equal documents print equally.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> =
                fields.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(fields.into_iter().collect::<Map<_, _>>())
        }
        plain => plain,
    }
}
