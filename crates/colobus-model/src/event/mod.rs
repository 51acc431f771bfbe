//! [`Event`]: one thing between clients that can be put in an order. Worlds offer events, strategies choose among them, a
//! [`crate::Schedule`] keeps their order.

mod text;

use serde::{Deserialize, Serialize};

use crate::ClientId;

pub(crate) use text::read_line;

/// One schedulable step of the concurrent part. Between the events all messages are held by the clients' proxies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Event {
    /// A client performs this step of its action. Steps count from zero here and from one in text: `A1`.
    Step { client: ClientId, step: usize },
    /// The next held message of one direction of one connection goes on: `A>` to the application, `A<` to the client.
    /// Connections of a client count from zero in the order of opening; other than the first are named, from one: `A>#2`.
    Deliver { client: ClientId, direction: Direction, connection: usize },
    /// The client loses its network: open connections end, what they held is lost: `A!`.
    Cut { client: ClientId },
    /// The client's network is back: `A+`.
    Restore { client: ClientId },
    /// The client loads its page again: `A@`.
    Reload { client: ClientId },
    /// Half a minute passes for the client, its timers go off, and no message moves: `A...`.
    Wait { client: ClientId },
    /// The client's page polls, which it does again and again by itself. The request goes to the application; the answer waits for
    /// [`Event::PollAnswer`], also while everything else is delivered: `A?`.
    Poll { client: ClientId },
    /// The answer to the client's poll, out of date by now, reaches it: `A?<`.
    PollAnswer { client: ClientId },
    /// The client opens the document a second time, in another tab of its browser: `A&`.
    Tab { client: ClientId },
    /// A new client opens the document, and gets the next free letter: `C*`.
    Join { client: ClientId },
    /// Every held message is delivered, and those that follow from it, until nothing moves: `~`. Those of the client
    /// that acted first go first.
    Flush,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    ToServer,
    ToClient,
}

impl Event {
    /// The same of another client.
    pub fn of(self, client: ClientId) -> Event {
        match self {
            Event::Step { step, .. } => Event::Step { client, step },
            Event::Deliver { direction, connection, .. } => Event::Deliver { client, direction, connection },
            Event::Cut { .. } => Event::Cut { client },
            Event::Restore { .. } => Event::Restore { client },
            Event::Reload { .. } => Event::Reload { client },
            Event::Wait { .. } => Event::Wait { client },
            Event::Poll { .. } => Event::Poll { client },
            Event::PollAnswer { .. } => Event::PollAnswer { client },
            Event::Tab { .. } => Event::Tab { client },
            Event::Join { .. } => Event::Join { client },
            Event::Flush => Event::Flush,
        }
    }

    /// The client whose event it is; `None` for an event of all clients.
    pub fn client(&self) -> Option<ClientId> {
        match *self {
            Event::Step { client, .. }
            | Event::Deliver { client, .. }
            | Event::Cut { client }
            | Event::Restore { client }
            | Event::Reload { client }
            | Event::Wait { client }
            | Event::Poll { client }
            | Event::PollAnswer { client }
            | Event::Tab { client }
            | Event::Join { client } => Some(client),
            Event::Flush => None,
        }
    }

    /// Something that users who sit side by side with a good network do not meet. Without it, the interaction makes sense.
    pub fn is_fault(&self) -> bool {
        self.begins_fault() || matches!(self, Event::Restore { .. } | Event::PollAnswer { .. })
    }

    /// The same without what only ends a fault.
    pub fn begins_fault(&self) -> bool {
        match self {
            Event::Cut { .. }
            | Event::Reload { .. }
            | Event::Wait { .. }
            | Event::Poll { .. }
            | Event::Tab { .. }
            | Event::Join { .. } => true,
            Event::Step { .. }
            | Event::Deliver { .. }
            | Event::Restore { .. }
            | Event::PollAnswer { .. }
            | Event::Flush => false,
        }
    }
}
