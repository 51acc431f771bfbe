//! [`Notice`]: what a tab tells the recorder, in the order in which it happened.

use std::sync::Arc;
use std::time::Instant;

use colobus_record::DialogKind;
use serde_json::Value;
use tokio::sync::oneshot;

use super::Tab;

pub struct Notice {
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
    Appeared,
    Closed,
    /// The main frame shows another document, or another place of the same one.
    /// `way` is what the browser called it when it started.
    Navigated {
        url: String,
        within: bool,
        way: String,
    },
    /// Page code is about to navigate.
    Wandering,
    Answered {
        kind: DialogKind,
        accept: bool,
        text: Option<String>,
    },
    /// Somebody wants to know that all before this has been heard.
    Heard(oneshot::Sender<()>),
}

impl Notice {
    pub fn new(tab: &Arc<Tab>, what: What) -> Notice {
        Notice { tab: tab.clone(), at: Instant::now(), what }
    }
}
