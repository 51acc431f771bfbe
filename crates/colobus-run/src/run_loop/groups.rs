//! Failures that look like one bug, before they are reduced.

use std::collections::BTreeMap;

use super::progress::Progress;
use crate::{Ending, Search};

/// Numbers of failing jobs with the same cause, the smallest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub failures: Vec<usize>,
}

/// In the order of their first failure.
pub(super) fn groups<S: Search>(search: &S, jobs: &[S::Job], progress: &Progress) -> Vec<Group> {
    let mut by_key: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (job, ran) in &progress.ran {
        if let Ending::Failed(failure) = &ran.ending {
            let cause = search.cause(&jobs[*job], failure);
            by_key.entry(cause.key).or_default().push((cause.size, *job));
        }
    }
    let group = |mut failures: Vec<(usize, usize)>| {
        failures.sort_unstable();
        Group { failures: failures.into_iter().map(|(_, job)| job).collect() }
    };
    let mut groups: Vec<Group> = by_key.into_values().map(group).collect();
    groups.sort_by_key(|group| group.failures.first().copied());
    groups
}
