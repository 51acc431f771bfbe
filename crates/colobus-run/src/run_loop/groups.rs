//! Failures with one cause, before they are reduced.

use std::collections::BTreeMap;

use super::cases::Cases;
use super::progress::Progress;
use crate::results::KeptResult;
use crate::{Ending, Search};

/// What failures are called of which a run that was stopped did not find out the cause.
const NOT_KNOWN_YET: &str = "not known yet";

/// Failing jobs of one cause of which the first explains the others: one finding, unless it does not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The name of their cause.
    pub cause: String,
    /// Whether it is the first of its cause: then it is reduced.
    pub leads: bool,
    /// Numbers of the jobs.
    pub failures: Vec<usize>,
}

/// Cause by cause, in the order of their smallest failures.
pub(super) fn groups<S: Search>(cases: Cases<'_, S>, progress: &Progress) -> Vec<Group> {
    let mut by_cause: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (job, ran) in progress.ran.iter() {
        if let Ending::Failed(_) = ran.ending() {
            let (name, size) = ran.cause().map_or((NOT_KNOWN_YET, 0), |cause| (&cause.name, cause.size));
            by_cause.entry(name).or_default().push((size, job));
        }
    }
    let mut causes: Vec<(&str, Vec<(usize, usize)>)> = by_cause.into_iter().collect();
    causes.iter_mut().for_each(|(_, failures)| failures.sort_unstable());
    causes.sort_by_key(|(_, failures)| failures.first().copied());
    causes.into_iter().flat_map(|(name, failures)| groups_of_cause(cases, progress, name, &failures)).collect()
}

fn groups_of_cause<S: Search>(
    Cases { search, jobs }: Cases<'_, S>,
    progress: &Progress,
    cause: &str,
    failures: &[(usize, usize)],
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (_, job) in failures {
        let Some(Ending::Failed(failure)) = progress.ran.get(*job).map(KeptResult::ending) else { continue };
        let explains = |group: &&mut Group| search.explains(&jobs[group.failures[0]], &jobs[*job], failure);
        match groups.iter_mut().find(explains) {
            Some(group) => group.failures.push(*job),
            None => groups.push(Group { cause: cause.to_string(), leads: groups.is_empty(), failures: vec![*job] }),
        }
    }
    groups
}
