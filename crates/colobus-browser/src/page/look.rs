//! What a page shows and offers: pictures, canonical DOM, visible text, state, and the troubles that it had.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_model::Png;
use colobus_world::{Survey, WorldError};
use serde_json::{Map, Value};

use super::{Evaluated, Frame, FramePath, Page, Trouble};
use crate::protocol::page::CaptureScreenshot;

impl Page {
    pub async fn screenshot(&self) -> Result<Png, WorldError> {
        let capture = CaptureScreenshot { format: "png", optimize_for_speed: true, capture_beyond_viewport: false };
        let encoded = self.call(capture).await?.data;
        let unreadable = |_| WorldError::Interrupted("the browser's screenshot is unreadable".to_string());
        Ok(Png(BASE64.decode(encoded).map_err(unreadable)?.into()))
    }

    /// The main frame.
    pub async fn main_frame(&self) -> Result<Frame<'_>, WorldError> {
        self.frame(&FramePath::default()).await
    }

    /// What the page offers to a user.
    pub async fn survey(&self) -> Result<Survey, WorldError> {
        let seen = self.ask("discover", &[]).await?;
        serde_json::from_value(seen)
            .map_err(|error| WorldError::Interrupted(format!("what the page offers cannot be read: {error}")))
    }

    /// The application's own state, as its configuration reads it.
    pub async fn state(&self, source: &str) -> Result<Result<Value, String>, WorldError> {
        Ok(match self.run_block(source).await? {
            Evaluated::Value(value) => Ok(sorted(value)),
            Evaluated::Threw(message) => Err(message),
        })
    }

    /// From now on troubles belong to the concurrent part of an interaction.
    pub fn begin_concurrent(&self) {
        self.events.state().concurrent = true;
    }

    /// A new interaction begins on whatever document is there.
    pub fn forget_troubles(&self) {
        let mut state = self.events.state();
        state.concurrent = false;
        state.troubles.clear();
    }

    /// What went wrong so far.
    pub fn troubles(&self) -> Vec<Trouble> {
        self.events.state().troubles.clone()
    }

    /// What went wrong since the last call.
    pub fn take_troubles(&self) -> Vec<Trouble> {
        std::mem::take(&mut self.events.state().troubles)
    }

    /// An exception that came of JavaScript that Colobus ran in the page.
    pub fn add_exception(&self, text: String) {
        self.events.add_trouble(super::TroubleKind::Uncaught, text, None);
    }

    /// How many dialogs have been closed.
    pub fn dialogs_closed(&self) -> usize {
        self.events.state().dialogs_closed
    }
}

/// Keys in order, so that equal states print equally.
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
