//! What page and server say to each other, as JSON in text frames. There is no message for an acknowledgement:
//! an edit comes back to its author like to everyone else.

use crate::delta::Delta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A browser tab within one document, numbered in the order of arrival.
pub(crate) type ClientId = u32;

/// How many edits of each client an edit has seen; only when clients order the edits themselves.
/// By the client's number as text: the server passes it on and never looks inside.
pub(crate) type Clock = BTreeMap<String, u64>;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum FromClient {
    Edit(Proposal),
    Presence {
        revision: usize,
        range: Range,
    },
    /// The client lost track and wants the whole document.
    Resync,
    /// Everyone begins again with an empty document.
    Empty,
}

/// An edit as a client sends it, made against `revision`. `seq` numbers the edits of one client, so that one that is
/// sent again after a reconnect is recognised.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Proposal {
    pub(crate) seq: u64,
    pub(crate) revision: usize,
    pub(crate) op: Delta,
    #[serde(default)]
    pub(crate) clock: Option<Clock>,
}

/// An edit in its place in the order; applying it leads to `revision`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Edit {
    pub(crate) revision: usize,
    pub(crate) client: ClientId,
    pub(crate) seq: u64,
    pub(crate) op: Delta,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<Clock>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum FromServer<'a> {
    /// The first message. A client that comes back gets the edits it missed, any other one the document.
    Welcome {
        client: ClientId,
        revision: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        document: Option<&'a Delta>,
        edits: &'a [Edit],
        users: Vec<ClientId>,
        presence: &'a BTreeMap<ClientId, Range>,
    },
    Edit(&'a Edit),
    Presence {
        client: ClientId,
        revision: usize,
        range: Range,
    },
    Users {
        users: Vec<ClientId>,
    },
    /// The document is as it was before anyone did anything.
    Emptied,
    Rejected {
        reason: &'a str,
    },
}

/// A selection, or a caret when both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) anchor: usize,
    pub(crate) head: usize,
}

impl Range {
    /// Where the range is after a change of another user: text inserted at its edges stays outside.
    pub(crate) fn after(self, change: &Delta) -> Range {
        let (start, end) = (self.anchor.min(self.head), self.anchor.max(self.head));
        let new_end = change.moved(end, true);
        let new_start = if start == end { new_end } else { change.moved(start, false).min(new_end) };
        if self.anchor <= self.head {
            Range { anchor: new_start, head: new_end }
        } else {
            Range { anchor: new_end, head: new_start }
        }
    }
}
