//! The priority `random`: any sequence, from the seed.

use colobus_learn::Random;

use super::{Priority, Waiting};
use crate::Knowledge;

pub struct AtRandom;

/// Steps between 0 and 1.
const STEPS: usize = 1 << 20;

impl Priority for AtRandom {
    fn name(&self) -> &'static str {
        "random"
    }

    fn describe(&self) -> &'static str {
        "any sequence, without feedback"
    }

    fn needs_accesses(&self) -> bool {
        false
    }

    fn of(&self, _: Waiting<'_>, _: &Knowledge, random: &mut Random) -> f64 {
        random.below(STEPS) as f64 / STEPS as f64
    }
}
