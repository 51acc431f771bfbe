//! The traffic of findings: each is executed again while its traffic is recorded, and a file shows only an execution that failed as the
//! finding says. Recorded by workers right after a finding is reduced, written when it gets its number.

use std::fs;
use std::path::Path;

use colobus_model::Finding;

use crate::{FindingTraffic, Reduced, RunError, Search};

/// How often a finding that does not come back every time is tried.
const ATTEMPTS: usize = 3;

/// What was recorded of a finding.
#[derive(Debug, Default)]
pub(super) enum RecordedTraffic {
    Har(String),
    /// It has no file, and this is why.
    Missing(String),
    /// It was not asked for here.
    #[default]
    NotHere,
}

/// Records the traffic of a finding. One whose traffic cannot be recorded stays a finding.
pub(super) fn record<S: Search>(
    search: &S,
    world: &mut S::World,
    job: &S::Job,
    reduced: &Reduced<S::Evidence>,
) -> RecordedTraffic {
    for _ in 0..ATTEMPTS {
        match search.record(world, job, reduced) {
            Ok(FindingTraffic::Har(har)) => return RecordedTraffic::Har(har),
            Ok(FindingTraffic::NotHere) => return RecordedTraffic::NotHere,
            Ok(FindingTraffic::NotReproduced) => {}
            Err(error) => return RecordedTraffic::Missing(error.to_string()),
        }
    }
    RecordedTraffic::Missing(format!("it did not come back in {ATTEMPTS} executions that recorded it"))
}

impl RecordedTraffic {
    /// Writes the file into the folder of the run and names it in the finding; a note if there is none.
    pub fn write(self, finding: &mut Finding, run: &Path) -> Result<Option<String>, RunError> {
        let file = format!("{}/{}", finding.id, Finding::TRAFFIC_FILE);
        match self {
            RecordedTraffic::NotHere => Ok(None),
            RecordedTraffic::Missing(why) => Ok(Some(format!("{file} was not recorded: {why}"))),
            RecordedTraffic::Har(har) => {
                let path = run.join(&file);
                fs::write(&path, har).map_err(|source| RunError::Write { path, source })?;
                finding.traffic = Some(file);
                Ok(None)
            }
        }
    }
}
