//! [`Judgement`]: what all checks together say of a trace.

use std::panic::{AssertUnwindSafe, catch_unwind};

use colobus_model::{CheckId, Difference, DifferenceKind, FailedCheck, NotApplicable, Outcome, Trace, Verdict};

use crate::Check;

/// What all checks together say of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Pass,
    /// The check whose difference costs users most ([`DifferenceKind::WORST_FIRST`]), and the others that failed.
    Fail {
        check: CheckId,
        difference: Difference,
        also: Vec<FailedCheck>,
    },
    /// No check failed, and at least one could not say.
    Unknown(String),
    NotApplicable(NotApplicable),
}

impl Judgement {
    /// The difference, if this check failed with this kind: the same failure again.
    pub fn same_failure(&self, check: &CheckId, kind: DifferenceKind) -> Option<&Difference> {
        let same = |(failed, difference): &(&CheckId, &Difference)| *failed == check && difference.kind == kind;
        self.failed().find(same).map(|(_, difference)| difference)
    }

    /// All checks that failed, the worst first.
    pub fn failed(&self) -> impl Iterator<Item = (&CheckId, &Difference)> {
        let (first, others): (_, &[FailedCheck]) = match self {
            Judgement::Fail { check, difference, also } => (Some((check, difference)), also),
            _ => (None, &[]),
        };
        first.into_iter().chain(others.iter().map(|failed| (&failed.check, &failed.difference)))
    }
}

/// Asks every one of these checks that applies. A failure outweighs what another check could not say.
pub fn judge_by(checks: &[&dyn Check], trace: &Trace) -> Judgement {
    match &trace.outcome {
        Outcome::Completed => {}
        Outcome::NotApplicable(reason) => return Judgement::NotApplicable(reason.clone()),
        Outcome::Unknown(reason) => return Judgement::Unknown(reason.clone()),
    }
    let mut judgement = Judgement::Pass;
    let mut failed = Vec::new();
    let off = |check: &&&dyn Check| trace.application.checks_off.iter().any(|name| name == check.id().as_str());
    for check in checks.iter().filter(|check| !off(check) && check.applies(trace)) {
        match verdict_of(*check, trace) {
            Verdict::Pass => {}
            Verdict::Fail(difference) => failed.push(FailedCheck { check: check.id(), difference }),
            Verdict::Unknown(reason) => judgement = Judgement::Unknown(format!("{}: {reason}", check.id())),
        }
    }
    // Equal kinds stay in the order of the checks.
    failed.sort_by_key(|failed| failed.difference.kind.rank());
    let mut failed = failed.into_iter();
    match failed.next() {
        Some(FailedCheck { check, difference }) => Judgement::Fail { check, difference, also: failed.collect() },
        None => judgement,
    }
}

/// A check that panics yields `Unknown`, never `Pass`.
fn verdict_of(check: &dyn Check, trace: &Trace) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| check.judge(trace)))
        .unwrap_or_else(|_| Verdict::Unknown("the check itself crashed; please report it".into()))
}
