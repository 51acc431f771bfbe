//! [`Judgement`]: what all checks together say of a trace.

use std::panic::{AssertUnwindSafe, catch_unwind};

use colobus_model::{CheckId, Difference, DifferenceKind, NotApplicable, Outcome, Trace, Verdict};

use crate::{CHECKS, Check, Symptom, find};

/// What all checks together say of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Pass,
    /// The first check, in the order of [`CHECKS`], that failed.
    Fail {
        check: CheckId,
        difference: Difference,
    },
    /// No check failed, and at least one could not say.
    Unknown(String),
    NotApplicable(NotApplicable),
}

impl Judgement {
    /// Whether both fail, and for the same kind of reason: clients that disagree, or the same other check. What exactly
    /// differs may depend on which client wins a race inside the application.
    pub fn fails_like(&self, other: &Judgement) -> bool {
        let disagree = |id: &CheckId| find(id).is_some_and(|check| check.symptom() == Symptom::ClientsDiffer);
        match (self, other) {
            (Judgement::Fail { check: one, .. }, Judgement::Fail { check: other, .. }) => {
                one == other || disagree(one) && disagree(other)
            }
            _ => false,
        }
    }

    /// The difference, if it is a failure of this check and of this kind: the same failure again.
    pub fn same_failure(&self, check: &CheckId, kind: DifferenceKind) -> Option<&Difference> {
        match self {
            Judgement::Fail { check: failed, difference } if failed == check && difference.kind == kind => {
                Some(difference)
            }
            _ => None,
        }
    }
}

/// Asks every check that applies. A failure outweighs what another check could not say.
pub fn judge(trace: &Trace) -> Judgement {
    judge_by(CHECKS, trace)
}

/// The same with other checks.
pub fn judge_by(checks: &[&dyn Check], trace: &Trace) -> Judgement {
    match &trace.outcome {
        Outcome::Completed => {}
        Outcome::NotApplicable(reason) => return Judgement::NotApplicable(reason.clone()),
        Outcome::Unknown(reason) => return Judgement::Unknown(reason.clone()),
    }
    let mut judgement = Judgement::Pass;
    for check in checks.iter().filter(|check| check.applies(trace)) {
        match verdict_of(*check, trace) {
            Verdict::Pass => {}
            Verdict::Fail(difference) => return Judgement::Fail { check: check.id(), difference },
            Verdict::Unknown(reason) => judgement = Judgement::Unknown(format!("{}: {reason}", check.id())),
        }
    }
    judgement
}

/// A check that panics yields `Unknown`, never `Pass`.
fn verdict_of(check: &dyn Check, trace: &Trace) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| check.judge(trace)))
        .unwrap_or_else(|_| Verdict::Unknown("the check itself crashed; please report it".into()))
}
