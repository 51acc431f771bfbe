//! The oracles. A [`Check`] is a pure function of a [`Trace`]; all of them are listed in [`CHECKS`], and [`judge`] asks
//! those that apply.

mod caret;
mod conservation;
mod convergence;
mod errors;
mod guests;
mod invariant;
mod neutral;
mod precedence;
mod reload;
mod text_content;
mod undo;
mod view;

pub use precedence::precedence_can_be_judged;

use std::panic::{AssertUnwindSafe, catch_unwind};

use colobus_model::{Difference, NotApplicable, Outcome, Trace, Verdict};
pub use text_content::TextContent;

/// An oracle: says whether what a trace shows is right.
pub trait Check: Sync {
    /// How reports call it.
    fn name(&self) -> &'static str;

    /// What must hold, in one sentence.
    fn describe(&self) -> &'static str;

    /// Whether it was asked for, and whether the trace has what it needs.
    fn applies(&self, trace: &Trace) -> bool;

    /// Only called with completed traces to which it applies.
    fn judge(&self, trace: &Trace) -> Verdict;
}

/// All checks. A new one is a file and a line here.
pub const CHECKS: &[&dyn Check] = &[
    &convergence::PIXELS,
    &convergence::DOM,
    &convergence::STATE,
    &conservation::Conservation,
    &precedence::Precedence,
    &undo::Undo,
    &neutral::Neutral,
    &view::ModelAndView,
    &reload::Reload,
    &caret::RemoteCaret,
    &guests::Guests,
    &invariant::Invariants,
    &errors::NewErrors,
];

/// What all checks together say of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Pass,
    /// The first check, in the order of [`CHECKS`], that failed.
    Fail {
        check: &'static str,
        difference: Difference,
    },
    /// No check failed, and at least one could not say.
    Unknown(String),
    NotApplicable(NotApplicable),
}

impl Judgement {
    /// Whether both fail, and for the same kind of reason: clients that disagree, or the same other check. What exactly
    /// differs may depend on who of two wins a race inside the application.
    pub fn fails_like(&self, other: &Judgement) -> bool {
        let reason = |check: &'static str| {
            check.split_once('-').filter(|(what, _)| *what == "convergence").map_or(check, |(what, _)| what)
        };
        match (self, other) {
            (Judgement::Fail { check: one, .. }, Judgement::Fail { check: other, .. }) => reason(one) == reason(other),
            _ => false,
        }
    }
}

/// Asks every check that applies. A failure outweighs what another check could not say.
pub fn judge(trace: &Trace) -> Judgement {
    match &trace.outcome {
        Outcome::Completed => {}
        Outcome::NotApplicable(reason) => return Judgement::NotApplicable(reason.clone()),
        Outcome::Unknown(reason) => return Judgement::Unknown(reason.clone()),
    }
    let mut judgement = Judgement::Pass;
    for check in CHECKS.iter().filter(|check| check.applies(trace)) {
        match verdict_of(*check, trace) {
            Verdict::Pass => {}
            Verdict::Fail(difference) => return Judgement::Fail { check: check.name(), difference },
            Verdict::Unknown(reason) => judgement = Judgement::Unknown(format!("{}: {reason}", check.name())),
        }
    }
    judgement
}

/// A check that crashes could not say anything, and above all not that all is well.
fn verdict_of(check: &dyn Check, trace: &Trace) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| check.judge(trace)))
        .unwrap_or_else(|_| Verdict::Unknown("the check itself crashed; please report it".into()))
}
