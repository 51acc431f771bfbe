//! [`Settings`]: how far a search goes and what it takes for a conflict.

use crate::conflicts::commute::{CommuteRule, RULES};

/// Settings of a [`Search`](super::Search).
#[derive(Clone)]
pub struct Settings {
    /// The most reversals from the recording; `None`: as many as there are.
    pub bound: Option<usize>,
    pub tail: Tail,
    /// Whether to leave out reversals that the fixed delays of timers forbid, and to move timers where they must be.
    pub only_feasible: bool,
    /// The rules by which accesses commute.
    pub commute: Vec<&'static dyn CommuteRule>,
}

/// What becomes of events that were not planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// They run after the plan, so that the state is final, and are not turned round.
    RunsLast,
    /// They take part in conflicts. With a timer that polls, an unbounded search does not end.
    TakesPart,
}

impl Settings {
    pub fn within(bound: usize) -> Settings {
        Settings { bound: Some(bound), ..Settings::unbounded() }
    }

    pub fn unbounded() -> Settings {
        Settings { bound: None, tail: Tail::RunsLast, only_feasible: true, commute: RULES.to_vec() }
    }
}
