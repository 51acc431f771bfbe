//! The priority `coverage`: 1 - cov(e1) * ... * cov(en), where cov is the share of an event's code that ran so far. Sequences
//! with an event whose code has not run completely come first.

use colobus_learn::Random;

use super::{Priority, Waiting};
use crate::Knowledge;

pub struct Coverage;

impl Priority for Coverage {
    fn name(&self) -> &'static str {
        "coverage"
    }

    fn describe(&self) -> &'static str {
        "sequences of events whose code has not run completely"
    }

    fn needs_accesses(&self) -> bool {
        false
    }

    fn of(&self, waiting: Waiting<'_>, knowledge: &Knowledge, _: &mut Random) -> f64 {
        let moves = &waiting.sequence.moves;
        // What only opens the page has been performed before all others; with other answers it may do something else.
        if moves.is_empty() {
            return 1.0;
        }
        1.0 - moves.iter().map(|step| knowledge.share(&step.action.event)).product::<f64>()
    }
}
