//! [`Trace`]: one execution of an interaction, complete enough to judge it and to run it again; and its file format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Application, Aspect, ClientId, Interaction, LateJoin, LateJoiner, Message, NotApplicable, Observation, Rectangle,
    Schedule, Snapshot, Token,
};

/// The version this build writes. Older ones are upgraded when read, newer ones are refused with advice.
pub const TRACE_VERSION: u32 = 1;

/// One execution: what was done, in which order, and what every client showed in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub version: u32,
    pub application: Application,
    pub interaction: Interaction,
    pub schedule: Schedule,
    /// What single messages said, by the place of their event in the schedule.
    #[serde(default)]
    pub messages: BTreeMap<usize, Message>,
    /// What the checks compare the clients by.
    pub judged_by: Vec<Aspect>,
    /// The fresh words that were typed, the prefix's first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Token>,
    /// What clients showed on the way, in the order of events; only where a check wants to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<Snapshot>,
    /// What the clients show without the neutral actions; only where there are some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baseline: Vec<Observation>,
    /// The observations after the last settle, one per client.
    pub observations: Vec<Observation>,
    /// What those see who came in the middle, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late_joiners: Vec<LateJoiner>,
    /// What a client that opened the document afterwards sees; `None` if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_joiner: Option<LateJoin>,
    /// Errors that sequential runs had as well, and that are therefore not news.
    pub known_errors: Vec<String>,
    pub outcome: Outcome,
}

/// Whether the execution came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Completed,
    /// An action does not apply in this state, for instance because its button is not there.
    NotApplicable(NotApplicable),
    /// Nothing can be said: the page never settled, navigated away, …
    Unknown(String),
}

/// Why a trace file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("this is not a trace: {0}; a trace is the file trace.json of a finding, below colobus-out")]
    Malformed(String),
    #[error(
        "the trace has version {found}, this colobus reads versions up to {TRACE_VERSION}: update colobus, or record the finding again with this one"
    )]
    Future { found: u32 },
}

impl Trace {
    /// Whether the application exited meanwhile.
    pub fn has_exit(&self) -> bool {
        let mut errors = self.observations.iter().flat_map(|seen| &seen.errors);
        errors.any(|error| error.kind == crate::ErrorKind::Exit)
    }

    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }

    pub fn from_json(text: &str) -> Result<Trace, TraceError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let malformed = |error: serde_json::Error| TraceError::Malformed(error.to_string());
        let found = serde_json::from_str::<Versioned>(text).map_err(malformed)?.version;
        if found > TRACE_VERSION {
            return Err(TraceError::Future { found });
        }
        serde_json::from_str(text).map_err(malformed)
    }

    /// The name of the file, beside the trace, that holds a client's screenshot.
    pub fn screenshot_name(client: ClientId) -> String {
        format!("client-{client}.png")
    }

    /// The name of the file with what the client shows without the neutral actions.
    pub fn baseline_screenshot_name(client: ClientId) -> String {
        format!("baseline-{client}.png")
    }

    /// The parts of the viewport that do not count.
    pub fn ignored_rectangles(&self) -> Vec<Rectangle> {
        self.application.ignored_rectangles()
    }
}
