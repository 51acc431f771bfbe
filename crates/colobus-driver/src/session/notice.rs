//! [`TabNotice`]: what happened in a tab, in order. Tabs produce it, the recorder consumes it.

use std::sync::Arc;
use std::time::Instant;

use colobus_browser::{DialogAnswer, NavigationType};
use colobus_record::DialogKind;
use serde_json::Value;
use tokio::sync::oneshot;

use super::open_tabs::OpenTabs;
use super::tab::Tab;

pub struct TabNotice {
    pub tab: Arc<Tab>,
    pub at: Instant,
    pub what: What,
}

pub enum What {
    /// A message of the recorder's script in the document with this execution context.
    RecorderMessage {
        context: i64,
        message: Value,
    },
    Closed,
    /// The main frame shows another document, or another place of the same one. `kind` is what the browser called the
    /// navigation when it started.
    Navigated {
        url: String,
        within_document: bool,
        kind: NavigationType,
    },
    /// Page code is about to navigate.
    NavigationRequested,
    Answered {
        kind: DialogKind,
        answer: DialogAnswer,
    },
    /// A question: answered once all notices before it have been heard.
    Heard(oneshot::Sender<()>),
}

/// Tells the recorder.
pub fn notify(open_tabs: &OpenTabs, tab: &Arc<Tab>, what: What) {
    open_tabs.tell(TabNotice { tab: tab.clone(), at: Instant::now(), what });
}
