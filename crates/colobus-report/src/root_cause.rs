//! Which findings look like one bug: those with the same concurrent actions, whoever performs which, the same check and
//! the same kind of difference.

use std::collections::BTreeMap;

use colobus_trace::{Finding, Report, RootCause};

/// Groups the findings, writes the id of its root cause into each, and numbers the root causes from one in the order in
/// which their shortest findings come.
pub fn group_by_root_cause(findings: &mut [Finding]) -> Vec<RootCause> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        let mut actions = finding.concurrent.clone();
        actions.sort();
        let key = (actions, finding.check.clone(), finding.difference.kind);
        groups.entry(key).or_default().push(index);
    }

    let length = |index: &usize| (findings[*index].prefix.len(), findings[*index].id);
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    for members in &mut groups {
        members.sort_by_key(length);
    }
    groups.sort_by_key(|members| members.first().map(length));

    let mut causes = Vec::with_capacity(groups.len());
    for (id, members) in (1..).zip(groups) {
        let shortest = &findings[members[0]];
        causes.push(RootCause {
            id,
            concurrent: shortest.concurrent.clone(),
            check: shortest.check.clone(),
            kind: shortest.difference.kind,
            findings: members.iter().map(|index| findings[*index].id).collect(),
        });
        for index in members {
            findings[index].root_cause = id;
        }
    }
    causes
}

/// The findings of a root cause, the shortest first. A report from a file may name some that are not there.
pub(crate) fn findings_of<'a>(cause: &'a RootCause, report: &'a Report) -> impl Iterator<Item = &'a Finding> {
    cause.findings.iter().filter_map(|id| report.findings.iter().find(|finding| finding.id == *id))
}
