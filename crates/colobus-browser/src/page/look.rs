//! What a page shows and offers: pictures, canonical DOM, visible text, state, and the log entries that it had.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use colobus_model::Png;
use colobus_world::{Survey, WorldError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{LogEntry, Page};
use crate::protocol::page::CaptureScreenshot;
use crate::scripts;

impl Page {
    pub async fn screenshot(&self) -> Result<Png, WorldError> {
        let capture = CaptureScreenshot { format: "png", optimize_for_speed: true, capture_beyond_viewport: false };
        let encoded = self.call(capture).await?.data;
        let unreadable = |_| WorldError::Interrupted("the browser's screenshot is unreadable".to_string());
        Ok(Png(BASE64.decode(encoded).map_err(unreadable)?.into()))
    }

    /// What the page offers to a user.
    pub async fn survey(&self) -> Result<Survey, WorldError> {
        scripts::read("discover", self.ask("discover", &[]).await?)
    }

    /// What the main frame shows, in one answer.
    pub async fn look(&self, options: &LookOptions<'_>) -> Result<Shown, WorldError> {
        let LookOptions { ignored, dom, text, state, neutral } = *options;
        let state = state.map(scripts::block);
        let options = json!({ "ignored": ignored, "dom": dom, "text": text, "state": state, "neutral": neutral });
        let shown: Shown = scripts::read("look", self.ask("look", &[options]).await?)?;
        Ok(Shown { state: shown.state.map(sorted), ..shown })
    }

    /// The page looks again as it does to its user.
    pub fn end_neutral_look(&self) {
        self.start(&scripts::call("neutralLook", &[json!(false)]));
    }

    /// From now on log entries belong to the concurrent part of an interaction.
    pub fn begin_concurrent(&self) {
        self.events.state().concurrent = true;
    }

    /// A new interaction begins on whatever document is there.
    pub fn forget_log_entries(&self) {
        let mut state = self.events.state();
        state.concurrent = false;
        state.log_entries.clear();
    }

    /// What went wrong so far.
    pub fn log_entries(&self) -> Vec<LogEntry> {
        self.events.state().log_entries.clone()
    }

    /// What went wrong since the last call.
    pub fn take_log_entries(&self) -> Vec<LogEntry> {
        std::mem::take(&mut self.events.state().log_entries)
    }

    /// An exception that came of JavaScript that Colobus ran in the page.
    pub fn add_exception(&self, text: String) {
        self.events.add_log_entry(super::LogKind::Uncaught, text, None);
    }

    /// How many dialogs have been closed.
    pub fn dialogs_closed(&self) -> usize {
        self.events.state().dialogs_closed
    }
}

/// What is asked of a page that is looked at.
pub struct LookOptions<'a> {
    /// Selects what is left out of DOM and text.
    pub ignored: &'a [&'a str],
    pub dom: bool,
    pub text: bool,
    /// Reads the application's own state.
    pub state: Option<&'a str>,
    /// From then on it looks as if no user were at it: nothing has the focus, no mouse is over it.
    pub neutral: bool,
}

/// What a page shows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    pub dom: Option<String>,
    pub text: Option<Vec<String>>,
    /// The text in the parts that are left out.
    #[serde(default)]
    pub aside: Vec<String>,
    pub state: Option<Value>,
    /// Why the state cannot be read.
    pub state_failed: Option<String>,
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
