//! [`replay`]: runs a finding again from its file: both orders, compared.

use std::collections::BTreeSet;
use std::path::Path;

use colobus_race::verdict::Differences;
use colobus_world::{RacePage, WorldError};

use crate::evidence::RaceEvidence;
use crate::words;

/// What came of one replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Whether the failing order did the same harm again.
    pub failed: bool,
    /// What differs between the two orders, in one line; empty if nothing does.
    pub summary: String,
    /// What could not be controlled, beyond what the recording itself could not: requests that were not recorded, for instance.
    pub uncontrolled: BTreeSet<String>,
}

/// The finding in a folder, or in a file.
pub fn load(path: &Path) -> Result<RaceEvidence, String> {
    RaceEvidence::read(path)
}

/// Executes the order that works and the one that fails, and compares their ends.
pub fn replay(page: &mut dyn RacePage, finding: &RaceEvidence) -> Result<Replayed, WorldError> {
    let working = page.run(&finding.recorded, &finding.working)?;
    let failing = page.run(&finding.recorded, &finding.failing)?;
    let differences = Differences::between(&working.outcome, &failing.outcome);
    let harms = differences.harms();
    let failed = finding.harms.iter().any(|harm| harms.contains(harm));
    let summary = if harms.is_empty() { String::new() } else { words::summary(&differences) };
    let known = &finding.recorded.execution.notes;
    let notes = [working.notes, failing.notes].concat();
    Ok(Replayed { failed, summary, uncontrolled: notes.into_iter().filter(|note| !known.contains(note)).collect() })
}
