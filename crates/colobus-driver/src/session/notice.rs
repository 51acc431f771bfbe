//! [`TabNotice`]: what happened in a tab, in order. Tabs produce it, the recorder consumes it.

use std::sync::Arc;
use std::time::Instant;

use colobus_browser::DialogAnswer;
use colobus_record::DialogKind;
use serde_json::Value;
use tokio::sync::oneshot;

use super::tab::Tab;
use super::windows::Shared;

pub struct TabNotice {
    pub tab: Arc<Tab>,
    pub at: Instant,
    pub what: What,
}

pub enum What {
    /// The recorder's script in the document with this execution context says so.
    Told {
        context: i64,
        message: Value,
    },
    Closed,
    /// The main frame shows another document, or another place of the same one. `kind` is what the browser called the
    /// navigation when it started.
    Navigated {
        url: String,
        within_document: bool,
        kind: String,
    },
    /// Page code is about to navigate.
    NavigationRequested,
    Answered {
        kind: DialogKind,
        answer: DialogAnswer,
    },
    /// Somebody wants to know that all before this has been heard.
    Heard(oneshot::Sender<()>),
}

/// Tells the recorder.
pub fn notify(shared: &Shared, tab: &Arc<Tab>, what: What) {
    shared.tell(TabNotice { tab: tab.clone(), at: Instant::now(), what });
}
