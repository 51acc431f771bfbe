//! From a root cause to its findings, and what it is called.

use colobus_model::{Finding, Report, RootCause};

use crate::printable::{printable, title};

/// The findings of a root cause, the shortest first. A report from a file may name some that are not there.
pub(crate) fn findings_of<'a>(cause: &'a RootCause, report: &'a Report) -> impl Iterator<Item = &'a Finding> {
    cause.findings.iter().filter_map(|id| report.findings.iter().find(|finding| finding.id == *id))
}

/// On which machines of a Grid a finding was seen and came back, as a sentence.
pub(crate) fn places(finding: &Finding) -> Option<String> {
    let seen = finding.seen_in.as_ref()?;
    let again: String = finding.repeated_in.iter().map(|repetition| format!("; {repetition}")).collect();
    let is_elsewhere = finding.repeated_in.iter().any(|repetition| repetition.browser.is_apart_from(seen));
    let alone = if is_elsewhere { "" } else { "; not repeated on another node" };
    Some(format!("seen in {seen}{again}{alone}"))
}

/// What a cause is called; a report of an earlier version knows its actions only.
pub(crate) fn name(cause: &RootCause) -> String {
    if cause.name.is_empty() { title(&cause.case) } else { printable(&cause.name) }
}
