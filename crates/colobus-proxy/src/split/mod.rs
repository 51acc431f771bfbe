//! Where one message ends and the next begins: a [`Splitter`] looks at the bytes of one direction of one connection and
//! cuts them into [`Piece`]s. WebSocket frames, server-sent events and HTTP messages each have one; the pump that moves
//! the pieces knows none of these protocols.

pub(super) mod body;
pub(super) mod events;
pub(super) mod frames;

use super::view::MessageKind;

pub(super) trait Splitter {
    /// The piece at the beginning of `buffered`, or `None` when more bytes are needed to tell.
    fn next(&mut self, buffered: &[u8]) -> Result<Option<Piece>, Malformed>;

    /// The sender closed with nothing left in the buffer that would make a piece. Returns the end of the message under
    /// way, if it is the closing that ends it.
    fn at_eof(&mut self) -> Result<Option<Piece>, Malformed>;

    /// The last piece is out; what follows in the buffer belongs to the next message.
    fn is_finished(&self) -> bool;

    /// Whether reading on serves a purpose, be it only to see that the sender is gone.
    fn wants_input(&self) -> bool {
        !self.is_finished()
    }

    /// What the bytes of a message say, for a person.
    fn preview(&self, message: &[u8]) -> String;
}

/// So many bytes from the front, and what to do with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub len: usize,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A part of a message, the first and the last one marked.
    Message {
        opens: bool,
        closes: bool,
        kind: MessageKind,
        /// Something else may be written after this piece without breaking the protocol.
        boundary: bool,
    },
    /// Overtakes held messages: pings and pongs of the application, which carry no content.
    Control,
    /// The answer to a ping of the proxy with this number.
    Pong(u64),
    /// Framing of the sender that is written anew for the receiver.
    Framing,
}

/// The peer does not speak its protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    #[error("a WebSocket frame with the reserved opcode {0:#x}")]
    ReservedOpcode(u8),
    #[error("a WebSocket control frame that is fragmented or longer than 125 bytes")]
    BadControlFrame,
    #[error("a WebSocket continuation frame without a message to continue")]
    NothingToContinue,
    #[error("a new WebSocket message before the last fragment of the one before it")]
    UnfinishedMessage,
    #[error("a WebSocket frame with an impossible length")]
    ImpossibleLength,
    #[error("a chunk of an HTTP body without a proper size line")]
    BadChunk,
    #[error("an HTTP message that ends in the middle")]
    Truncated,
}
