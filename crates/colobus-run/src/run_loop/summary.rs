//! The report of a run, at any moment: what the search says of itself, and what the loop counted.

use std::collections::BTreeMap;

use colobus_model::{
    ActionGap, Counts, Finding, NotApplicable, PersonalPlace, Report, RootCause, RunEvent, Tally, Timing, UnknownCase,
};

use super::cases::Cases;
use super::progress::Progress;
use super::{Emit, Run};
use crate::{Ending, Search};

/// Why a report says that the run is not complete while it is still going on.
const UNDER_WAY: &str = "the run has not ended yet";

impl Run {
    /// Tells what is known so far, in case nothing more can be told.
    pub(super) fn tell_interim<S: Search>(
        &self,
        cases: Cases<'_, S>,
        progress: &Progress,
        findings: &[Finding],
        emit: &mut Emit,
    ) {
        let mut report = self.report(cases, progress, findings);
        report.stopped.get_or_insert_with(|| UNDER_WAY.to_string());
        report.doubts = report.doubts_about();
        emit(RunEvent::Interim { report: Box::new(report), output: self.folder.clone() });
    }

    pub(super) fn report<S: Search>(&self, cases: Cases<'_, S>, progress: &Progress, findings: &[Finding]) -> Report {
        let mut of_search = cases.search.report();
        let mut findings = findings.to_vec();
        let root_causes = RootCause::group(&mut findings);
        let ran = || progress.ran.iter().map(|(_, ran)| ran);
        let took_ms: Vec<f64> = ran().flat_map(|ran| ran.took_ms.iter().copied()).collect();
        let failures = ran().filter(|ran| matches!(ran.ending(), Ending::Failed(_))).count();
        let mut gaps = Gaps::new(std::mem::take(&mut of_search.not_applicable));
        for (job, ran) in progress.ran.iter() {
            match ran.ending() {
                Ending::NotApplicable(found) => gaps.of(found).interactions += 1,
                Ending::Unknown(reason) => {
                    let case = cases.name(job);
                    of_search.unknown.push(UnknownCase { case, reason: reason.clone() });
                }
                Ending::Passed | Ending::Failed(_) => {}
            }
        }
        of_search.notes.extend(progress.notes.iter().cloned().chain(ran().flat_map(|ran| ran.notes().to_vec())));
        let mut report = Report {
            version: 1,
            tolerance: self.options.tolerance,
            stopped: progress.stopped.clone(),
            counts: Counts {
                interactions: tally(cases.jobs.len() + cases.search.waiting(), progress),
                executions: of_search.counts.executions + took_ms.len(),
                failures,
                findings: findings.len(),
                root_causes: root_causes.len(),
                restarts: progress.restarts,
                ..of_search.counts
            },
            timing: Timing {
                phase1_s: self.preparation.seconds,
                phase1_reused: self.preparation.reused,
                phase2_s: progress.search_s,
                reduce_s: progress.reduce_s,
                interaction_ms_median: median(took_ms),
            },
            findings,
            root_causes,
            personal: personal(ran().flat_map(|ran| ran.personal())),
            not_applicable: gaps.list(),
            ..of_search
        };
        report.doubts = report.doubts_about();
        report.unexercised = report.unexercised();
        report
    }
}

/// Whether a run that continues this one would find nothing to do.
pub(super) fn is_complete(report: &Report) -> bool {
    let complete = |tally: &Tally| tally.unknown + tally.not_run == 0;
    let counts = &report.counts;
    let reduced = report.findings.iter().all(|finding| finding.reduced);
    report.stopped.is_none() && reduced && complete(&counts.sequences) && complete(&counts.interactions)
}

/// Every place once, with the number of its cases.
fn personal<'a>(seen: impl Iterator<Item = &'a PersonalPlace>) -> Vec<PersonalPlace> {
    let mut places: Vec<PersonalPlace> = Vec::new();
    for found in seen {
        match places.iter_mut().find(|known| known.place == found.place) {
            Some(known) => known.add(found),
            None => places.push(found.clone()),
        }
    }
    places.sort();
    places
}

fn tally(planned: usize, progress: &Progress) -> Tally {
    let mut tally = Tally { planned, ..Tally::default() };
    for (_, ran) in progress.ran.iter() {
        match ran.ending() {
            Ending::Passed | Ending::Failed(_) => tally.judged += 1,
            Ending::NotApplicable(_) => tally.not_applicable += 1,
            Ending::Unknown(_) => tally.unknown += 1,
        }
    }
    tally.not_run = tally.planned - tally.ran();
    tally
}

/// Where actions did not apply, counted by action.
pub(crate) struct Gaps {
    by_action: BTreeMap<String, ActionGap>,
}

impl Gaps {
    pub fn new(known: Vec<ActionGap>) -> Gaps {
        Gaps { by_action: known.into_iter().map(|gap| (gap.action.clone(), gap)).collect() }
    }

    /// The one of this action, to be counted up.
    pub fn of(&mut self, found: &NotApplicable) -> &mut ActionGap {
        let NotApplicable { action, reason, threw, step: _ } = found;
        let (action, reason) = (action.clone(), reason.clone());
        let new = ActionGap { action: action.clone(), sequences: 0, interactions: 0, reason, threw: false };
        let gap = self.by_action.entry(action).or_insert(new);
        gap.threw |= threw;
        gap
    }

    pub fn list(self) -> Vec<ActionGap> {
        self.by_action.into_values().collect()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
