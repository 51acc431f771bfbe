//! [`Message`]: what an event such as `A>` stood for in one execution. For people and exports; schedules match messages
//! by connection and place alone.

use serde::{Deserialize, Serialize};

/// A message that the schedule let through by itself, not those of a flush.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub kind: MessageKind,
    /// Where its connection leads.
    pub url: String,
    /// The beginning of what it says, escaped, on one line.
    pub preview: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// A WebSocket message of text.
    Text,
    /// A WebSocket message of bytes.
    Binary,
    /// The closing frame of a WebSocket.
    Close,
    /// An HTTP request with its body.
    Request,
    /// An HTTP response with its body, or the head of a stream of events.
    Response,
    /// One server-sent event: a block of a `text/event-stream`, up to and with its blank line.
    StreamEvent,
}
