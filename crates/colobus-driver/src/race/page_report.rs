//! [`PageReport`]: what `page/race/held-events.js` says of a page that has run all tasks that were ready. Consumed by `run`.

use colobus_race::model::Channel;
use colobus_race::recorded::RecordedMessage;
use serde::Deserialize;

/// What `page/race/held-events.js` says when the page is drained.
#[derive(Debug, Deserialize)]
pub struct PageReport {
    pub news: Vec<NewCallback>,
    pub cancelled: Vec<Cancelled>,
    pub sent: Vec<Sent>,
    pub now: f64,
    pub parsing: bool,
    pub loaded: bool,
}

#[derive(Debug, Deserialize)]
pub struct NewCallback {
    pub id: u64,
    pub kind: CallbackKind,
    pub delay: f64,
    pub due: f64,
    pub by: String,
    pub site: Option<PageSite>,
    pub tick: u32,
    pub message: Option<NewMessage>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallbackKind {
    Timer,
    Interval,
    Frame,
    Idle,
    Message,
}

/// An event of a socket or a stream.
#[derive(Debug, Deserialize)]
pub struct NewMessage {
    pub channel: Channel,
    pub of: String,
    pub number: u32,
    /// Only while recording.
    pub recorded: Option<RecordedMessage>,
}

/// What page code sent through a socket.
#[derive(Debug, Deserialize)]
pub struct Sent {
    pub of: String,
    pub data: String,
}

#[derive(Debug, Deserialize)]
pub struct PageSite {
    pub url: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Deserialize)]
pub struct Cancelled {
    pub id: u64,
    pub by: String,
}
