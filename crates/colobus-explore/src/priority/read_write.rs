//! The priority `read-write`: (|written before the last and read by the last| + 1) / (|read by the last| + 1). Events that
//! read what the ones before have written come first. Without observed accesses all sequences are alike.

use std::collections::BTreeSet;

use colobus_learn::Random;

use super::{Priority, Waiting};
use crate::Knowledge;

pub struct ReadWrite;

impl Priority for ReadWrite {
    fn name(&self) -> &'static str {
        "read-write"
    }

    fn describe(&self) -> &'static str {
        "events that read what those before them wrote"
    }

    fn needs_accesses(&self) -> bool {
        true
    }

    fn of(&self, waiting: Waiting<'_>, knowledge: &Knowledge, _: &mut Random) -> f64 {
        let Some((last, before)) = waiting.sequence.moves.split_last() else { return 1.0 };
        let reads = knowledge.accesses(&last.action.event).reads;
        let written: BTreeSet<String> =
            before.iter().flat_map(|step| knowledge.accesses(&step.action.event).writes).collect();
        (reads.intersection(&written).count() + 1) as f64 / (reads.len() + 1) as f64
    }
}
