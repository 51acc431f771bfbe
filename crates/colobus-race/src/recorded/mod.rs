//! [`RecordedPage`]: what later executions need of the first one: the answers of the servers, the steps of the user, the
//! moment of each event. Produced by a driver that records; consumed by the same driver for every further execution, and
//! written beside each finding, so that it runs again without the servers, unless these are to be asked again.

mod answers;
mod messages;

use colobus_model::{Invariant, Step, Viewport};
use serde::{Deserialize, Serialize};

pub use answers::{Answers, RecordedAnswer};
pub use messages::RecordedMessage;

use crate::model::{EventName, Execution};

/// The first execution of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedPage {
    pub url: String,
    pub viewport: Viewport,
    /// Decides the random numbers of the page.
    pub seed: u64,
    pub steps: Vec<UserStep>,
    pub answers: Vec<RecordedAnswer>,
    /// What sockets and streams brought, in the order in which it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<RecordedMessage>,
    /// What ran, in which order and when. Without accesses: it was recorded as it is.
    pub execution: Execution,
    /// Whether everything had run in the end. A page with intervals never comes to rest.
    pub is_settled: bool,
    /// Whether later executions ask the servers again. The answers then say only how long each took.
    #[serde(default)]
    pub live: bool,
    /// What has to be true at the end of every execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<Invariant>,
}

/// Something that the user does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserStep {
    /// The word for it in names of events: `click`, `type`.
    pub action: String,
    pub step: Step,
    /// Milliseconds since the start of the page.
    pub at: u64,
}

impl RecordedPage {
    /// When an event came, in milliseconds since the start of the page.
    pub fn moment(&self, name: &EventName) -> Option<u64> {
        self.execution.ran.iter().find(|ran| ran.event.name == *name).map(|ran| ran.at)
    }

    /// When the last event came.
    pub fn end(&self) -> u64 {
        self.execution.ran.iter().map(|ran| ran.at).max().unwrap_or_default()
    }
}

impl UserStep {
    pub fn new(step: Step, at: u64) -> UserStep {
        let action = match &step {
            Step::Press(_) => "press",
            Step::Type(_) => "type",
            Step::Click(_) => "click",
            Step::DoubleClick(_) => "double-click",
            Step::Drag { .. } => "drag",
            Step::Paste(_) => "paste",
            Step::Select(_) => "select",
            Step::Evaluate(_) => "set",
            Step::WaitFor(_) => "wait",
            Step::Resize(_) => "resize",
        };
        UserStep { action: action.to_string(), step, at }
    }
}
