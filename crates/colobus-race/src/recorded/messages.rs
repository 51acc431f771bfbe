//! [`RecordedMessage`]: one event of a socket or an event stream, as `page/race/channels.js` records it and brings it again.

use serde::{Deserialize, Serialize};

use crate::model::Channel;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedMessage {
    pub channel: Channel,
    /// The address of the connection, with its number if there were several.
    pub of: String,
    /// Which event of its connection it is, from 1.
    pub number: u32,
    /// `open`, `message`, `error`, `close`, or the name of a stream's event.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Whether the data are bytes in base64.
    #[serde(default)]
    pub binary: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_event_id: Option<String>,
    /// Why a socket was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// The state of the connection from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_state: Option<u8>,
    /// How often the page had sent something on the connection before.
    pub causes: u32,
    /// Milliseconds since the page connected, or sent something last.
    pub latency: f64,
}
