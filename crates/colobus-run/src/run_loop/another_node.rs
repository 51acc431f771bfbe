//! Findings of a Grid, once more on another node: what fails on one machine alone, or in one version of the browser, is told apart from
//! what fails everywhere.

use colobus_model::{Finding, Repetition};

use super::Run;
use super::cases::Cases;
use super::reduction::Release;
use crate::workers::Workers;
use crate::{Failure, Search};

impl Run {
    /// Repeats what has come back only on the node on which it was seen, in browsers that are open and then in a new one. What cannot be
    /// repeated stays as it is: the finding says where it was seen.
    pub(super) fn repeat_on_other_nodes<S: Search>(
        &self,
        cases: Cases<'_, S>,
        workers: &Workers<S::World>,
        release: &mut Release,
    ) where
        S::World: Send,
    {
        if self.repeat_elsewhere(cases, workers, release) > 0 && !self.options.stop.is_set() {
            workers.replace();
            self.repeat_elsewhere(cases, workers, release);
        }
    }

    /// In browsers that are open; how many could not be repeated.
    fn repeat_elsewhere<S: Search>(
        &self,
        Cases { search, jobs }: Cases<'_, S>,
        workers: &Workers<S::World>,
        release: &mut Release,
    ) -> usize
    where
        S::World: Send,
    {
        let (Release { findings, jobs: stands_for, .. }, mut left) = (release, 0);
        for (finding, job) in findings.iter_mut().zip(stands_for) {
            let Some(job) = job.filter(|_| is_of_one_node(finding) && !self.options.stop.is_set()) else { continue };
            let Finding { check, difference, also, .. } = &*finding;
            let failure = Failure { check: check.clone(), difference: difference.clone(), also: also.clone() };
            let Ok(evidence) = search.restore(&jobs[job], &self.folder.join(finding.id.to_string())) else { continue };
            let seen_in = finding.seen_in.clone().unwrap_or_default();
            let is_apart = |world: &S::World| search.browser(world).is_apart_from(&seen_in);
            let again = workers.in_open(is_apart, |world| {
                let reproduced = search.comes_back(world, &jobs[job], &evidence, &failure)?;
                Ok(Repetition { browser: search.browser(world), reproduced: usize::from(reproduced), attempts: 1 })
            });
            left += usize::from(again.is_none());
            finding.repeated_in.extend(again);
        }
        left
    }
}

/// Whether it was seen and run again on one node of a Grid alone.
fn is_of_one_node(finding: &Finding) -> bool {
    let Some(seen_in) = &finding.seen_in else { return false };
    let elsewhere = |again: &Repetition| again.browser.is_apart_from(seen_in);
    finding.is_confirmed() && !finding.repeated_in.iter().any(elsewhere)
}
