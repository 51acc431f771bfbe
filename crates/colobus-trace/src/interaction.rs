//! [`Interaction`]: a prefix that one client performs, then one action per client at the same time.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Action;

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
}

impl Interaction {
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
        write!(f, "({})", self.concurrent_names().join(" || "))
    }
}
