//! [`Condition`]: what it takes to make an interaction fail, from the least to the most.

use std::fmt;

use colobus_model::Event;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A client that acts alone.
    OneUser,
    /// Users who take turns.
    InTurn,
    /// Messages that pass one at a time after all have acted, whichever client's come first.
    AnyFirst,
    /// The same, but only if the messages of one of the clients come first.
    OneFirst,
    /// A fault of this kind.
    Fault(Event),
    /// Messages that arrive between two steps of one action.
    BetweenSteps,
    /// Single messages in an order that is none of these.
    CertainOrder,
    /// Messages that are under way at the same time.
    Together,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Condition::OneUser => "even with one user alone",
            Condition::InTurn => "even when users take turns",
            Condition::AnyFirst => "with any user's messages first",
            Condition::OneFirst => "if one user's messages come first",
            Condition::Fault(Event::Cut { .. }) => "after a lost connection",
            Condition::Fault(Event::Reload { .. }) => "after a reload",
            Condition::Fault(Event::Wait { .. }) => "after a long wait",
            Condition::Fault(Event::Poll { .. }) => "if the answer to a poll comes late",
            Condition::Fault(Event::Tab { .. }) => "with a second tab",
            Condition::Fault(Event::Join { .. }) => "with a user who joins in the middle",
            Condition::Fault(_) => "after a fault",
            Condition::BetweenSteps => "if messages arrive between the steps of an action",
            Condition::CertainOrder => "in a certain order of messages",
            Condition::Together => "only if messages meet in the application",
        })
    }
}
