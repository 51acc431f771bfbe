//! Whether the application that a session is performed at is still there. Asked by stages and explorers when a request got no answer: what an
//! application does that has ended is not a finding.

use colobus_world::{PageProblem, ProblemKind, WorldError};

use crate::subject::{Silent, silent_address};

/// An error if a request got no answer because nothing answers at the address of the session.
pub(crate) fn ensure_present<'a>(
    problems: impl IntoIterator<Item = &'a PageProblem>,
    url: &str,
) -> Result<(), WorldError> {
    let is_unanswered = |problem: &PageProblem| matches!(problem.kind, ProblemKind::FailedRequest { status: None });
    if !problems.into_iter().any(is_unanswered) {
        return Ok(());
    }
    match silent_address(url) {
        Some(Silent { reason, .. }) => Err(WorldError::CannotRun(format!(
            "{url} does not answer: {reason}. Has the application ended? Start it again, and continue with --resume"
        ))),
        None => Ok(()),
    }
}
