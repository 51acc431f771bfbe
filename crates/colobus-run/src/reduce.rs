//! After the search: failing interactions become findings. Failures of the same actions with the same kind of
//! difference are one group, one root cause; in it every failure is reduced to the shortest prefix that still fails,
//! unless a finding already explains it, and every finding is run again several times.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::ops::ControlFlow;
use std::path::Path;

use colobus_check::{Judgement, find};
use colobus_model::{
    Action, CheckId, Difference, DifferenceKind, Finding, Interaction, Phase, Reproduction, RootCause, RunEvent,
    Schedule, Trace,
};
use colobus_world::{World, WorldError};

use crate::contrast::{Contrast, contrast};
use crate::execute::{Setup, follow};
use crate::journal::{Entry, Journal, Ran, RanOutcome};
use crate::output::{TRACE_FILE, load_trace, save_trace};
use crate::search::{Candidate, failure_folder};
use crate::shrink::shrink_order;
use crate::smaller::smaller_interaction;
use crate::steady::{Reproduced, steadiest};
use crate::workers::{Done, Workers};
use crate::{RunConfig, RunError};

/// Failures that look like one bug: same actions at the same time, same check, same kind of difference.
#[derive(Clone, Debug)]
struct Group<'a> {
    failures: Vec<Failure<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Failure<'a> {
    index: usize,
    interaction: &'a Interaction,
    check: &'a CheckId,
    difference: &'a Difference,
    schedule: &'a Schedule,
}

/// A finding before it has a number and a place on disk.
struct Draft {
    trace: Trace,
    check: CheckId,
    difference: Difference,
    contrast: Contrast,
    reproduced: usize,
    attempts: usize,
    failures: usize,
}

/// How many root causes the search has seen so far.
pub(crate) fn group_count(candidates: &[Candidate], ran: &[Ran]) -> usize {
    groups(candidates, ran).len()
}

/// In the order of their first failure, and within a group the shortest prefix first.
fn groups<'a>(candidates: &'a [Candidate], ran: &'a [Ran]) -> Vec<Group<'a>> {
    let by_index: BTreeMap<usize, &Candidate> = candidates.iter().map(|c| (c.index, c)).collect();
    let mut groups: Vec<Group> = Vec::new();
    let mut places: BTreeMap<(Vec<String>, &CheckId, DifferenceKind), usize> = BTreeMap::new();
    for ran in ran {
        let RanOutcome::Fail { check, difference, schedule } = &ran.outcome else { continue };
        let Some(candidate) = by_index.get(&ran.index) else { continue };
        let interaction = &candidate.interaction;
        let key = (concerned(interaction, check), check, difference.kind);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group { failures: Vec::new() });
            groups.len() - 1
        });
        groups[place].failures.push(Failure { index: ran.index, interaction, check, difference, schedule });
    }
    for group in &mut groups {
        group
            .failures
            .sort_by_key(|failure| (failure.interaction.prefix.len(), failure.interaction.clients(), failure.index));
    }
    groups.sort_by_key(|group| group.failures[0].index);
    groups
}

/// The actions that a failure of this check is about.
fn concerned(interaction: &Interaction, check: &CheckId) -> Vec<String> {
    let check = find(check);
    let concerned = |action: &&Action| check.is_none_or(|check| check.concerns(action));
    interaction.concurrent.iter().filter(concerned).map(|action| action.name.clone()).collect()
}

/// Turns all failures of `ran` into findings, in the canonical order of groups whatever worker is faster.
#[allow(clippy::too_many_arguments)] // each is a different thing, used once
pub(crate) fn reduce(
    config: &RunConfig,
    setup: &Setup,
    candidates: &[Candidate],
    ran: &[Ran],
    workers: &Workers,
    journal: &mut Journal,
    run: &Path,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Vec<Finding>, RunError> {
    let groups = groups(candidates, ran);
    let mut release = Release { next: 0, waiting: BTreeMap::new(), findings: Vec::new() };
    for entry in &journal.earlier {
        if let Entry::Reduced { group, findings } = entry
            && *group == release.next
        {
            release.findings.extend(findings.clone());
            release.next += 1;
        }
    }
    let left: Vec<(usize, &Group)> = groups.iter().enumerate().skip(release.next).collect();
    emit(RunEvent::PhaseStarted { phase: Phase::Reduce, total: groups.len() });
    let work = |world: &mut dyn World, job: &(usize, &Group)| reduce_group(world, setup, job.1, config.repeat, run);
    workers.run(&left, &config.stop, work, |index, done| {
        let (number, group) = &left[index];
        let drafts = match done {
            Done::Result(drafts) => drafts?,
            // What cannot be reduced is still a failure that was seen.
            Done::Unknown(_) => vec![unreduced(group, run)?],
        };
        release.waiting.insert(*number, drafts);
        release.all_in_turn(journal, run, emit)?;
        emit(RunEvent::Progress { phase: Phase::Reduce, done: release.next, total: groups.len() });
        Ok(ControlFlow::Continue(()))
    })?;
    // Only a stop leaves groups behind: they are reported as they were seen.
    for (number, group) in groups.iter().enumerate().skip(release.next) {
        if let btree_map::Entry::Vacant(place) = release.waiting.entry(number) {
            place.insert(vec![unreduced(group, run)?]);
        }
    }
    if config.stop.is_set() {
        release.without_journal(run, emit)?;
    }
    Ok(release.findings)
}

/// Findings get their numbers in the order of groups: a group that is ready waits for those before it.
struct Release {
    next: usize,
    waiting: BTreeMap<usize, Vec<Draft>>,
    findings: Vec<Finding>,
}

impl Release {
    fn all_in_turn(
        &mut self,
        journal: &mut Journal,
        run: &Path,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<(), RunError> {
        while let Some(drafts) = self.waiting.remove(&self.next) {
            let findings = self.publish(drafts, run, emit)?;
            journal.write(&Entry::Reduced { group: self.next - 1, findings })?;
        }
        Ok(())
    }

    /// The run was stopped: what is published now must be reduced properly by a run that continues this one.
    fn without_journal(&mut self, run: &Path, emit: &mut dyn FnMut(RunEvent)) -> Result<(), RunError> {
        while let Some(drafts) = self.waiting.remove(&self.next) {
            self.publish(drafts, run, emit)?;
        }
        Ok(())
    }

    fn publish(
        &mut self,
        drafts: Vec<Draft>,
        run: &Path,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<Vec<Finding>, RunError> {
        self.next += 1;
        let mut published = Vec::new();
        for draft in drafts {
            let id = self.findings.len() + 1;
            save_trace(&run.join(id.to_string()), &draft.trace)?;
            let finding = Finding {
                id,
                prefix: draft.trace.interaction.prefix_names(),
                concurrent: draft.trace.interaction.concurrent_names(),
                line: Reproduction::of(&draft.trace.interaction, &draft.trace.schedule).to_string(),
                schedule: draft.trace.schedule,
                passing: draft.contrast.passing,
                critical: draft.contrast.critical,
                check: draft.check,
                difference: draft.difference,
                reproduced: draft.reproduced,
                attempts: draft.attempts,
                root_cause: 0,
                trace: format!("{id}/{TRACE_FILE}"),
                failures: draft.failures,
                script: Vec::new(),
            };
            self.findings.push(finding);
            RootCause::group(&mut self.findings);
            if let Some(finding) = self.findings.last() {
                emit(RunEvent::Found(Box::new(finding.clone())));
                published.push(finding.clone());
            }
        }
        Ok(published)
    }
}

fn reduce_group(
    world: &mut dyn World,
    setup: &Setup,
    group: &Group,
    repeat: usize,
    run: &Path,
) -> Result<Result<Vec<Draft>, RunError>, WorldError> {
    let mut drafts: Vec<Draft> = Vec::new();
    for failure in &group.failures {
        let needs_late_joiner = find(failure.check).is_some_and(|check| check.needs_late_joiner());
        let setup = &setup.with_late_joiner(needs_late_joiner);
        let explained = drafts
            .iter_mut()
            .find(|draft| is_subsequence(&draft.trace.interaction.prefix, &failure.interaction.prefix));
        if let Some(draft) = explained {
            draft.failures += 1;
            continue;
        }
        let (trace, difference) = match shortest(world, setup, failure)? {
            Some(reduced) => reduced,
            None => match load_trace(&failure_folder(run, failure.index)) {
                Ok(trace) => (trace, failure.difference.clone()),
                Err(error) => return Ok(Err(error)),
            },
        };
        let same = |judgement: &Judgement| failure.same_as(judgement);
        let whole = (trace.clone(), difference.clone());
        let smaller = smaller_interaction(world, setup, trace, difference, &same)?;
        let is_smaller = smaller.0.interaction != whole.0.interaction;
        let mut found = in_its_smallest_order(world, setup, smaller, repeat, &same)?;
        // What is smaller may leave more to chance: then the whole is worth more.
        if found.times < repeat && is_smaller {
            let whole = in_its_smallest_order(world, setup, whole, repeat, &same)?;
            found = if whole.times > found.times { whole } else { found };
        }
        let Reproduced { trace, difference, times: reproduced } = steadiest(world, setup, found, repeat, &same)?;
        let contrast = contrast(world, setup, &trace)?;
        let check = failure.check.clone();
        drafts.push(Draft { trace, check, difference, contrast, reproduced, attempts: repeat, failures: 1 });
    }
    Ok(Ok(drafts))
}

/// The failure in the smallest order, run again so many times.
fn in_its_smallest_order(
    world: &mut dyn World,
    setup: &Setup,
    (trace, difference): (Trace, Difference),
    repeat: usize,
    same: &dyn Fn(&Judgement) -> Option<Difference>,
) -> Result<Reproduced, WorldError> {
    let (trace, difference) = shrink_order(world, setup, trace, difference, same)?;
    Reproduced { trace, difference, times: 0 }.count(world, setup, repeat)
}

impl Failure<'_> {
    /// The difference, if the judgement is this failure again.
    fn same_as(&self, judgement: &Judgement) -> Option<Difference> {
        judgement.same_failure(self.check, self.difference.kind).cloned()
    }
}

/// The shortest prefix, part of the failing one, with which the same actions fail in the same way. Each is really run.
fn shortest(
    world: &mut dyn World,
    setup: &Setup,
    failure: &Failure,
) -> Result<Option<(Trace, Difference)>, WorldError> {
    let Interaction { prefix, concurrent, rounds } = failure.interaction;
    let shorter = || shorter_prefixes(prefix).into_iter();
    let fewer_rounds =
        (1..*rounds).flat_map(|rounds| shorter().chain([prefix.clone()]).map(move |prefix| (prefix, rounds)));
    for (prefix, rounds) in fewer_rounds.chain(shorter().map(|prefix| (prefix, *rounds))) {
        let interaction = Interaction { prefix, concurrent: concurrent.clone(), rounds };
        let executed = follow(world, setup, &interaction, &failure.schedule.within(&interaction))?;
        if let Some(difference) = failure.same_as(&executed.judgement) {
            return Ok(Some((executed.trace, difference)));
        }
    }
    Ok(None)
}

/// Proper subsequences of a prefix, the shortest first, each once. Prefixes are short; of a very long one only the ends
/// are cut.
fn shorter_prefixes(prefix: &[Action]) -> Vec<Vec<Action>> {
    const ENUMERABLE: usize = 8;
    if prefix.len() > ENUMERABLE {
        return (0..prefix.len()).map(|from| prefix[prefix.len() - from..].to_vec()).collect();
    }
    let mut choices: Vec<u32> = (0..(1u32 << prefix.len()) - 1).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    let mut shorter: Vec<Vec<Action>> = Vec::new();
    for choice in choices {
        let kept = prefix.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1).map(|(_, action)| action.clone());
        let candidate: Vec<Action> = kept.collect();
        if !shorter.contains(&candidate) {
            shorter.push(candidate);
        }
    }
    shorter
}

fn is_subsequence(short: &[Action], long: &[Action]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|action| rest.any(|other| other == action))
}

/// The first failure of a group as the search saw it.
fn unreduced(group: &Group, run: &Path) -> Result<Draft, RunError> {
    let first = &group.failures[0];
    Ok(Draft {
        trace: load_trace(&failure_folder(run, first.index))?,
        check: first.check.clone(),
        difference: first.difference.clone(),
        contrast: Contrast::default(),
        reproduced: 0,
        attempts: 0,
        failures: group.failures.len(),
    })
}
