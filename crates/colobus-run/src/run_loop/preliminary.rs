//! Preliminary findings: the smallest failure of every cause that was seen, neither reduced nor run again. Told by the loop when
//! a job shows a new cause, so that a run that is killed leaves a report of it.

use colobus_model::Finding;

use super::cases::Cases;
use super::groups::groups;
use super::progress::Progress;
use super::reduction::{failures, unreduced};
use super::{Emit, FAILURES, Run};
use crate::{RunError, Search};

impl Run {
    pub(super) fn tell_new_cause<S: Search>(
        &self,
        cases: Cases<'_, S>,
        progress: &Progress,
        emit: &mut Emit,
    ) -> Result<(), RunError> {
        let failed = failures(&progress.ran);
        let mut findings: Vec<Finding> = Vec::new();
        for group in groups(cases, progress).iter().filter(|group| group.leads) {
            let draft = unreduced(cases, group, &failed, &self.folder)?;
            let folder = format!("{FAILURES}/{}", group.failures[0]);
            findings.push(draft.finding::<S>(findings.len() + 1, &group.cause, &folder));
        }
        self.tell_interim(cases, progress, &findings, emit);
        Ok(())
    }
}
