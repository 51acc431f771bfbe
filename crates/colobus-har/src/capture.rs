//! [`Capture`]: the traffic of one client over some time. Produced by a collecting tap, consumed by HAR files and learners.

use crate::exchange::Exchange;
use crate::message::{SocketMessage, StreamEvent};

/// Everything that was seen, each list in the order in which it was told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capture {
    pub exchanges: Vec<Exchange>,
    pub socket_messages: Vec<SocketMessage>,
    pub stream_events: Vec<StreamEvent>,
    /// Bodies and messages whose content was left out because the capture had grown too large.
    pub left_out: u64,
}

impl Capture {
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty() && self.socket_messages.is_empty() && self.stream_events.is_empty()
    }
}
