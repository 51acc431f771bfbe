//! Failures become findings: of every cause the smallest failure is reduced and run again, the others are run again as they
//! are, unless a finding already explains them. What never comes back is no finding: nothing can be said of it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_model::{BrowserPlace, Finding, Phase, Repetition, RootCause, RunEvent};
use colobus_world::WorldError;

use super::cases::Cases;
use super::early::{EarlyReductions, ReducedFailure};
use super::groups::Group;
use super::progress::Progress;
use super::traffic::{self, RecordedTraffic};
use super::{Emit, Run, failure_folder};
use crate::journal::Entry;
use crate::results::{KeptResult, Results};
use crate::workers::{ATTEMPTS, Done, Work, Workers, no_pace, no_spare_work};
use crate::{Ending, Failure, Reduced, Repeat, RunError, Search, SeenFailure};

impl<E> ReducedFailure<E> {
    /// Stands for the failure of this job, which this browser showed first.
    fn draft(self, job: usize, seen_in: Option<BrowserPlace>) -> Draft<E> {
        let ReducedFailure { reduced, repetition, traffic } = self;
        Draft {
            reduced,
            attempts: Some(repetition.attempts),
            explained: vec![job],
            seen_in,
            repeated_in: Some(repetition).filter(|repetition| repetition.browser.node.is_some()),
            traffic,
        }
    }
}

/// A finding before it has a number and a place on disk.
pub(super) struct Draft<E> {
    reduced: Reduced<E>,
    /// How often it was run again; `None` if it was not.
    attempts: Option<usize>,
    /// The jobs whose failures it stands for.
    explained: Vec<usize>,
    /// The browser that showed it first, and how often it came back in that which reduced it, if these run on nodes of a Grid.
    seen_in: Option<BrowserPlace>,
    repeated_in: Option<Repetition>,
    traffic: RecordedTraffic,
}

/// The findings of a group, unless its evidence cannot be read.
type Drafts<E> = Result<Vec<Draft<E>>, RunError>;

/// Findings get their numbers in the order of groups: a group that is ready waits for those before it.
pub(super) struct Release {
    groups: Vec<Group>,
    next: usize,
    pub findings: Vec<Finding>,
    /// The job that each finding stands for, if it is known.
    pub jobs: Vec<Option<usize>>,
}

impl Release {
    pub fn new(groups: Vec<Group>) -> Release {
        Release { groups, next: 0, findings: Vec::new(), jobs: Vec::new() }
    }
}

impl Run {
    /// Turns all failures into findings, in the canonical order of groups whatever worker is faster.
    pub(super) fn reduce_failures<S: Search>(
        &mut self,
        cases: Cases<'_, S>,
        (workers, early): (&Workers<S::World>, &EarlyReductions<S::Evidence>),
        progress: &mut Progress,
        release: &mut Release,
        emit: &mut Emit,
    ) -> Result<(), RunError>
    where
        S::World: Send,
    {
        while let Some(group) = release.groups.get(release.next)
            && let Some(findings) = self.journal.reduced(&group.failures, release.findings.len() + 1)
        {
            release.findings.extend_from_slice(findings);
            // The first finding of a group stands for its first failure.
            release.jobs.extend((0..findings.len()).map(|number| (number == 0).then(|| group.failures[0])));
            release.next += 1;
        }
        let groups = release.groups.clone();
        emit(RunEvent::PhaseStarted { phase: Phase::Reduce, total: groups.len() });
        let left: Vec<usize> = (release.next..groups.len()).collect();
        let repeat = Repeat { times: self.options.repeat };
        let (stop, folder) = (self.options.stop.clone(), self.folder.clone());
        let mut waiting: BTreeMap<usize, Vec<Draft<S::Evidence>>> = BTreeMap::new();
        // What the workers read stays as it was before anything was reduced.
        let failed = failures(&progress.ran);
        let reducing = Reducing { cases, repeat, folder: &folder };
        let begun: Vec<AtomicUsize> = groups.iter().map(|_| AtomicUsize::new(0)).collect();
        let is_last_attempt = |group: usize| begun[group].load(Ordering::Relaxed) >= ATTEMPTS;
        let work = Work {
            run: |world: &mut S::World, group: &usize| {
                begun[*group].fetch_add(1, Ordering::Relaxed);
                // Reducing takes long: where browsers end again and again, the failure is at least run again as it is.
                let leads = groups[*group].leads && !is_last_attempt(*group);
                reducing.group(world, &Group { leads, ..groups[*group].clone() }, &failed, early)
            },
            doubt: |_: &Drafts<S::Evidence>| None,
            pace: no_pace,
        };
        let unreduced = |group: &Group| unreduced(cases, group, &failed, &folder);
        let worked = workers.run(&left, &stop, (work, &no_spare_work), |index, done| {
            let drafts = match done {
                Done::Result(drafts) => drafts?,
                // What cannot be reduced is still a failure that was seen.
                Done::Unknown(_) | Done::Stopped => vec![unreduced(&groups[left[index]])?],
            };
            waiting.insert(left[index], drafts);
            while let Some(drafts) = waiting.remove(&release.next) {
                self.publish(cases, drafts, progress, release, emit)?;
                emit(RunEvent::Progress { phase: Phase::Reduce, done: release.next, total: groups.len() });
            }
            Ok(ControlFlow::Continue(()))
        });
        let as_seen = |group: &usize| groups[*group].leads && is_last_attempt(*group);
        if let count @ 1.. = left.iter().filter(|group| as_seen(group)).count() {
            progress.notes.push(format!(
                "the findings of {count} causes are as they were seen, and not reduced: their browsers ended {} times meanwhile",
                ATTEMPTS - 1
            ));
        }
        match worked {
            Err(RunError::World(error)) => progress.stopped = progress.stopped.take().or(Some(error.to_string())),
            other => other?,
        }
        // Groups that a stop left behind are reported as they were seen.
        while let Some(group) = groups.get(release.next) {
            let drafts = match waiting.remove(&release.next) {
                Some(drafts) => drafts,
                None => vec![unreduced(group)?],
            };
            self.publish(cases, drafts, progress, release, emit)?;
        }
        Ok(())
    }

    /// Numbers the findings of the next group, writes their evidence and tells them.
    fn publish<S: Search>(
        &mut self,
        cases: Cases<'_, S>,
        drafts: Vec<Draft<S::Evidence>>,
        progress: &mut Progress,
        release: &mut Release,
        emit: &mut Emit,
    ) -> Result<(), RunError> {
        let (first, is_reduced) = (release.findings.len(), drafts.iter().all(|draft| draft.attempts.is_some()));
        let Group { cause, mut failures, .. } = release.groups[release.next].clone();
        release.next += 1;
        for mut draft in drafts {
            if draft.never_came_back() {
                failures.retain(|job| !draft.explained.contains(job));
                self.give_up(cases, &draft, progress, emit)?;
                continue;
            }
            let id = release.findings.len() + 1;
            cases.search.save(&draft.reduced.evidence, &self.folder.join(id.to_string()))?;
            let traffic = std::mem::take(&mut draft.traffic);
            release.jobs.push(draft.explained.first().copied());
            let mut finding = draft.finding::<S>(id, &cause, &id.to_string());
            progress.notes.extend(traffic.write(&mut finding, &self.folder)?);
            release.findings.push(finding);
            RootCause::group(&mut release.findings);
            emit(RunEvent::Found(Box::new(release.findings[id - 1].clone())));
        }
        let findings = release.findings[first..].to_vec();
        // What a stop left unreduced is reduced by a run that continues this one.
        if is_reduced && !findings.is_empty() {
            self.journal.write(&Entry::Reduced { failures, findings })?;
        }
        self.tell_interim(cases, progress, &release.findings, emit);
        Ok(())
    }

    /// A failure that was seen and never came back: from now on, and for runs that continue this one, it is unknown.
    fn give_up<S: Search>(
        &mut self,
        cases: Cases<'_, S>,
        draft: &Draft<S::Evidence>,
        progress: &mut Progress,
        emit: &mut Emit,
    ) -> Result<(), RunError> {
        let times = draft.attempts.unwrap_or(0);
        let Failure { check, difference, .. } = &draft.reduced.failure;
        let reason = format!("it failed once and came back 0 of {times} times: {check}: {}", difference.summary);
        for job in &draft.explained {
            self.withdraw(*job, &reason, progress)?;
            emit(RunEvent::Unknown { case: cases.name(*job), reason: reason.clone() });
        }
        Ok(())
    }
}

impl<E> Draft<E> {
    fn never_came_back(&self) -> bool {
        self.attempts.is_some_and(|attempts| attempts > 0) && self.reduced.reproduced == 0
    }

    /// The finding with this number, whose evidence is in this folder of the run.
    pub(super) fn finding<S: Search<Evidence = E>>(self, id: usize, cause: &str, folder: &str) -> Finding {
        let Failure { check, difference, also } = self.reduced.failure;
        Finding {
            id,
            searched: self.reduced.searched,
            check,
            difference,
            also,
            reduced: self.attempts.is_some(),
            reproduced: self.reduced.reproduced,
            attempts: self.attempts.unwrap_or(0),
            seen_in: self.seen_in,
            repeated_in: self.repeated_in.into_iter().collect(),
            cause: cause.to_string(),
            root_cause: 0,
            trace: format!("{folder}/{}", S::EVIDENCE_FILE),
            traffic: None,
            failures: self.explained.len(),
        }
    }
}

/// What failed in each failing job, and in which browser if that runs on a node of a Grid.
pub(super) type Failures = BTreeMap<usize, (Failure, Option<BrowserPlace>)>;

pub(super) fn failures(ran: &Results) -> Failures {
    let failure = |(job, ran): (usize, &KeptResult)| match ran.ending() {
        Ending::Failed(failure) => Some((job, (failure.clone(), ran.browser().cloned()))),
        _ => None,
    };
    ran.iter().filter_map(failure).collect()
}

/// What turns failures into findings needs to know.
pub(super) struct Reducing<'a, S: Search> {
    pub cases: Cases<'a, S>,
    pub repeat: Repeat,
    /// The folder of the run.
    pub folder: &'a Path,
}

impl<S: Search> Reducing<'_, S> {
    /// The findings of a group. The outer result is about the world, the inner one about files.
    fn group(
        &self,
        world: &mut S::World,
        group: &Group,
        failed: &Failures,
        early: &EarlyReductions<S::Evidence>,
    ) -> Result<Drafts<S::Evidence>, WorldError> {
        let Cases { search, jobs } = self.cases;
        let mut drafts: Vec<Draft<S::Evidence>> = Vec::new();
        for number in &group.failures {
            let (job, (failure, seen_in)) = (&jobs[*number], &failed[number]);
            let explains = |draft: &&mut Draft<S::Evidence>| {
                !draft.never_came_back() && search.explains(&jobs[draft.explained[0]], job, failure)
            };
            if let Some(draft) = drafts.iter_mut().find(explains) {
                draft.explained.push(*number);
                continue;
            }
            let reduced = match early.take(*number).filter(|_| group.leads) {
                Some(ready) => ready,
                None => match self.failure(world, *number, failure, group.leads)? {
                    Ok(reduced) => reduced,
                    Err(error) => return Ok(Err(error)),
                },
            };
            drafts.push(reduced.draft(*number, seen_in.clone()));
        }
        Ok(Ok(drafts))
    }

    /// The failure of one job. The outer result is about the world, the inner one about files.
    pub fn failure(
        &self,
        world: &mut S::World,
        number: usize,
        failure: &Failure,
        leads: bool,
    ) -> Result<Result<ReducedFailure<S::Evidence>, RunError>, WorldError> {
        let Cases { search, jobs } = self.cases;
        let (job, repeat) = (&jobs[number], if leads { self.repeat } else { self.repeat.further() });
        let evidence = match search.restore(job, &failure_folder(self.folder, number)) {
            Ok(evidence) => evidence,
            Err(error) => return Ok(Err(error)),
        };
        let reduced = search.reduce(world, job, SeenFailure { evidence, failure, repeat, leads })?;
        let repetition =
            Repetition { browser: search.browser(world), reproduced: reduced.reproduced, attempts: repeat.times };
        let comes_back = repeat.times == 0 || reduced.reproduced > 0;
        let traffic = match comes_back {
            true => traffic::record(search, world, job, &reduced),
            false => RecordedTraffic::default(),
        };
        Ok(Ok(ReducedFailure { reduced, repetition, traffic }))
    }
}

/// The first failure of a group as the search saw it.
pub(super) fn unreduced<S: Search>(
    Cases { search, jobs }: Cases<'_, S>,
    group: &Group,
    failed: &Failures,
    folder: &Path,
) -> Result<Draft<S::Evidence>, RunError> {
    let number = group.failures[0];
    let (job, (failure, seen_in)) = (&jobs[number], &failed[&number]);
    let evidence = search.restore(job, &failure_folder(folder, number))?;
    let searched = search.searched(job, &evidence);
    let reduced = Reduced { searched, evidence, failure: failure.clone(), reproduced: 0 };
    let (explained, traffic) = (group.failures.clone(), RecordedTraffic::default());
    Ok(Draft { reduced, attempts: None, explained, seen_in: seen_in.clone(), repeated_in: None, traffic })
}
