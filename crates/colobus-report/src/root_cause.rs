//! From a root cause to its findings.

use colobus_model::{Finding, Report, RootCause};

/// The findings of a root cause, the shortest first. A report from a file may name some that are not there.
pub(crate) fn findings_of<'a>(cause: &'a RootCause, report: &'a Report) -> impl Iterator<Item = &'a Finding> {
    cause.findings.iter().filter_map(|id| report.findings.iter().find(|finding| finding.id == *id))
}
