//! [`Interaction`]: a prefix that one client performs, then one action per client at the same time.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Action, Step};

/// A client of an interaction: 0 is the one that performs the prefix. Shown as A, B, C, …
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub usize);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u8::try_from(self.0) {
            Ok(n) if n < 26 => write!(f, "{}", (b'A' + n) as char),
            _ => write!(f, "C{}", self.0 + 1),
        }
    }
}

/// What the users do: the prefix is client A's alone, then `concurrent[i]` is client i's, all at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Interaction {
    pub prefix: Vec<Action>,
    pub concurrent: Vec<Action>,
    /// How often the concurrent actions are performed; in between, all clients see what the others did.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub rounds: usize,
}

fn once() -> usize {
    1
}

fn is_once(rounds: &usize) -> bool {
    *rounds == 1
}

impl Interaction {
    /// Once, and at the same time.
    pub fn new(prefix: Vec<Action>, concurrent: Vec<Action>) -> Interaction {
        Interaction { prefix, concurrent, rounds: 1 }
    }

    /// How many steps this client's concurrent part has, all rounds together.
    pub fn step_count(&self, client: ClientId) -> usize {
        self.concurrent.get(client.0).map_or(0, |action| action.steps.len() * self.rounds)
    }

    /// The step with this number, from zero, of a client's concurrent part.
    pub fn step(&self, client: ClientId, number: usize) -> Option<&Step> {
        let steps = &self.concurrent.get(client.0)?.steps;
        if number < self.step_count(client) { steps.get(number % steps.len()) } else { None }
    }

    pub fn clients(&self) -> usize {
        self.concurrent.len()
    }

    pub fn prefix_names(&self) -> Vec<String> {
        self.prefix.iter().map(|a| a.name.clone()).collect()
    }

    pub fn concurrent_names(&self) -> Vec<String> {
        self.concurrent.iter().map(|a| a.name.clone()).collect()
    }
}

impl fmt::Display for Interaction {
    /// `type a, Enter, (bold || type b)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for action in &self.prefix {
            write!(f, "{}, ", action.name)?;
        }
        write!(f, "({})", self.concurrent_names().join(" || "))?;
        if self.rounds > 1 { write!(f, " × {}", self.rounds) } else { Ok(()) }
    }
}
