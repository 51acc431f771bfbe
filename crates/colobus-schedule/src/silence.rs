//! [`SilentSteps`]: which steps of an interaction send nothing, as an execution of it showed; [`Course`]: what is left of an order
//! that clients or the application can notice. Orders with equal courses are equivalent, and one of them is run.
//!
//! # Why it is sound
//! A flush that finds nothing to deliver changes nothing, so that what it stands between is one turn. Within a turn no client
//! receives anything: what a client does there depends on its own steps alone. The application receives the messages of a turn in
//! the order of the steps that sent them; steps that send nothing have no place in it. That a step sends nothing is known for the
//! state in which it was seen, which is the same as long as its client has received nothing: from the end of the first turn on
//! every step counts as one that sends.
//!
//! # Where it only approximates
//! What [`independence`](crate::independence) misses is missed here as well: clients that share something outside the application,
//! and messages that do not pass the gate.

use std::collections::{BTreeMap, BTreeSet};

use colobus_model::{ClientId, Event, Schedule};

/// Steps after which their client had sent nothing, taken before any client had received anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SilentSteps {
    steps: BTreeSet<Event>,
}

/// What clients and application can notice of an order: turn by turn, what each client does and in which order they send.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Course(Vec<Turn>);

/// What happens between two deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    done: BTreeMap<ClientId, Vec<usize>>,
    /// Steps that send, of all clients.
    sending: Vec<Event>,
}

impl FromIterator<Event> for SilentSteps {
    fn from_iter<I: IntoIterator<Item = Event>>(steps: I) -> SilentSteps {
        SilentSteps { steps: steps.into_iter().collect() }
    }
}

impl SilentSteps {
    /// `None` of an order that has more in it than steps and flushes.
    pub fn course(&self, order: &Schedule) -> Option<Course> {
        let (mut turns, mut turn) = (Vec::new(), Turn::default());
        for event in &order.events {
            match event {
                Event::Step { client, step } => {
                    turn.done.entry(*client).or_default().push(*step);
                    if !(turns.is_empty() && self.steps.contains(event)) {
                        turn.sending.push(event.clone());
                    }
                }
                Event::Flush if turn.sending.is_empty() => {}
                Event::Flush => turns.push(std::mem::take(&mut turn)),
                _ => return None,
            }
        }
        turns.push(turn);
        Some(Course(turns))
    }
}
