//! The priority `states`: what was never done in a state comes first, above all by events whose code has not run completely.
//! Our own: the product of `coverage` prefers long sequences of one event that cannot be covered.

use colobus_learn::Random;

use super::{Priority, Waiting};
use crate::Knowledge;

pub struct States;

/// What an event is worth whose code ran completely: in another state it may still do something else.
const LEAST: f64 = 0.2;
/// What an action is worth that was done in the state, but never right after the event before it: what cannot be seen may
/// have changed meanwhile.
const AFTER_ANOTHER: f64 = 0.6;

impl Priority for States {
    fn name(&self) -> &'static str {
        "states"
    }

    fn describe(&self) -> &'static str {
        "what was not done in a state yet, events with code that did not run first"
    }

    fn needs_accesses(&self) -> bool {
        false
    }

    fn of(&self, waiting: Waiting<'_>, knowledge: &Knowledge, _: &mut Random) -> f64 {
        let Some(last) = waiting.sequence.moves.last() else { return 1.0 };
        let unseen = 1.0 - knowledge.share(&last.action.event);
        let novelty = match knowledge.tried(waiting.state, waiting.sequence) {
            (0, _) => 1.0,
            (_, 0) => AFTER_ANOTHER,
            (_, times) => AFTER_ANOTHER / (1.0 + times as f64),
        };
        (LEAST + (1.0 - LEAST) * unseen) * novelty
    }
}
