//! The priority `constant`: all sequences are alike, so that short and old ones come first.

use colobus_learn::Random;

use super::{Priority, Waiting};
use crate::Knowledge;

pub struct Constant;

impl Priority for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn describe(&self) -> &'static str {
        "the shortest sequence first, without feedback"
    }

    fn needs_accesses(&self) -> bool {
        false
    }

    fn of(&self, _: Waiting<'_>, _: &Knowledge, _: &mut Random) -> f64 {
        1.0
    }
}
