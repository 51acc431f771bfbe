//! The priority `combined`: the product of `coverage` and `read-write`.

use colobus_learn::Random;

use super::coverage::Coverage;
use super::read_write::ReadWrite;
use super::{Priority, Waiting};
use crate::Knowledge;

pub struct Combined;

impl Priority for Combined {
    fn name(&self) -> &'static str {
        "combined"
    }

    fn describe(&self) -> &'static str {
        "coverage times read-write"
    }

    fn needs_accesses(&self) -> bool {
        true
    }

    fn of(&self, waiting: Waiting<'_>, knowledge: &Knowledge, random: &mut Random) -> f64 {
        Coverage.of(waiting, knowledge, random) * ReadWrite.of(waiting, knowledge, random)
    }
}
