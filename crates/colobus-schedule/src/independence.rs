//! [`Schedulable`]: what a search has to know of an event. For [`Event`] this is where the independence relation lives.
//!
//! # Which events commute
//! | | step of A | `A<` | `A>` | fault of A | step of B | `B<` | `B>` | fault of B |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | step of A | conflict | conflict | | conflict | | | | |
//! | `A<` | conflict | conflict | | conflict | | | | |
//! | `A>` | | | conflict | conflict | | | conflict | conflict |
//! | fault of A | conflict | conflict | conflict | conflict | | | conflict | conflict |
//!
//! A fault is a cut, a restored network, a reload, a poll, a second tab or a client that joins. Time that passes for a client and an
//! event inside its page are like a step of it; the answer to its poll is like `A<`. A flush moves every message and conflicts with everything.
//!
//! # Why it is sound
//! Between two events nothing moves: a client's state is a function of the steps it made and the messages it got, in
//! their order (row and column of A), and the application's state is a function of the messages that reached it and the
//! connections that it saw come and go, in theirs (`>` and faults of all clients). Two neighbours that touch different
//! states can therefore change places. `A>` takes from the front of a queue to whose back A's events append, so they
//! commute as soon as both are enabled; likewise `B<` and what reaches the application. That one event makes the other
//! possible at all is no property of the two events: it is read from the execution, see
//! [`Execution`](crate::Execution).
//!
//! # Where it only approximates
//! The application is a black box and so is the page. Missed are: clients that share something outside the application
//! (one browser profile, a `BroadcastChannel`); a page that looks at how much it still has to send; an application that
//! acts by itself (a timer, a batch) or answers later than the caller waits, so that the answer to `A>` is moved by a
//! following `B>`; real time, where a held message makes a page retry. In the other direction the relation is coarse:
//! messages of different clients always conflict at the application, because all clients of an interaction are on one
//! document and what the messages touch in it cannot be seen; events of one client always conflict there, unless the world tells what
//! they touched ([`Strategy::commuted`](crate::Strategy::commuted)). Coarse costs executions, missed costs orders; a missed one
//! is never a wrong verdict, as each order that is judged was executed.

use std::fmt::Debug;

use colobus_model::{Direction, Event};

/// An event as strategies see it. Equal events are the turns of one queue: of several at most one is enabled at a time,
/// and the n-th of one execution is the n-th of every other.
pub trait Schedulable: Clone + Ord + Debug {
    /// Whether the order of the two can matter although neither makes the other possible. Symmetric, and true of equals.
    fn conflicts(&self, other: &Self) -> bool;

    /// Whether the two follow each other wherever both happen, such as the steps of one user.
    fn is_ordered_with(&self, other: &Self) -> bool;

    /// What a user does, rather than what follows from it.
    fn is_step(&self) -> bool;

    /// A fault: the same interaction makes sense without it.
    fn is_fault(&self) -> bool;

    /// Undoes an earlier fault, and goes when that goes.
    fn repairs(&self, fault: &Self) -> bool;

    /// In the natural order it waits until nothing else can happen.
    fn comes_last(&self) -> bool;

    /// Makes up for many others. A schedule is the more precise the fewer of these it has.
    fn is_flush(&self) -> bool;
}

impl Schedulable for Event {
    fn conflicts(&self, other: &Event) -> bool {
        let (Some(client), Some(other_client)) = (self.client(), other.client()) else { return true };
        (client == other_client && at_client(self) && at_client(other))
            || (at_application(self) && at_application(other))
    }

    fn is_ordered_with(&self, other: &Event) -> bool {
        match (self, other) {
            (Event::Step { client, .. }, Event::Step { client: other, .. }) => client == other,
            _ => self == other,
        }
    }

    fn is_step(&self) -> bool {
        matches!(self, Event::Step { .. })
    }

    fn is_fault(&self) -> bool {
        Event::is_fault(self)
    }

    fn repairs(&self, fault: &Event) -> bool {
        match (self, fault) {
            (Event::Restore { client }, Event::Cut { client: cut }) => client == cut,
            (Event::PollAnswer { client }, Event::Poll { client: asked }) => client == asked,
            _ => false,
        }
    }

    fn comes_last(&self) -> bool {
        matches!(self, Event::Restore { .. } | Event::PollAnswer { .. } | Event::Flush)
    }

    fn is_flush(&self) -> bool {
        matches!(self, Event::Flush)
    }
}

/// Whether it touches the state of its client.
fn at_client(event: &Event) -> bool {
    !matches!(event, Event::Deliver { direction: Direction::ToServer, .. })
}

/// Whether it touches the state of the application.
fn at_application(event: &Event) -> bool {
    match event {
        Event::Step { .. } | Event::Wait { .. } | Event::PollAnswer { .. } => false,
        Event::Deliver { direction, .. } => *direction == Direction::ToServer,
        Event::Cut { .. }
        | Event::Restore { .. }
        | Event::Reload { .. }
        | Event::Poll { .. }
        | Event::Tab { .. }
        | Event::Join { .. }
        | Event::Flush => true,
    }
}
