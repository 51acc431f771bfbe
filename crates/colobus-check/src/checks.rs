//! [`Checks`]: the checks that a search asks, [`CHECKS`] unless a caller has others. Chosen with the configuration of a run; the
//! loop that executes, reduction and causes ask it instead of comparing names.

use std::fmt;

use colobus_model::{CheckId, Trace};

use crate::{CHECKS, Check, Evidence, Judgement, judge_by};

#[derive(Clone, Copy)]
pub struct Checks(&'static [&'static dyn Check]);

impl Checks {
    pub const fn new(checks: &'static [&'static dyn Check]) -> Checks {
        Checks(checks)
    }

    /// The check with this id.
    pub fn find(self, id: &CheckId) -> Option<&'static dyn Check> {
        self.0.iter().copied().find(|check| check.id() == *id)
    }

    pub fn ids(self) -> Vec<CheckId> {
        self.0.iter().map(|check| check.id()).collect()
    }

    /// What all of them together need of an execution, as far as its trace says by now.
    pub fn evidence(self, trace: &Trace) -> Evidence {
        self.0.iter().map(|check| check.evidence(trace)).fold(Evidence::default(), Evidence::and)
    }

    /// Asks every check that applies. A failure outweighs what another check could not say.
    pub fn judge(self, trace: &Trace) -> Judgement {
        judge_by(self.0, trace)
    }

    /// Whether both fail, and for the same kind of reason: clients that disagree, or the same other check. What exactly
    /// differs may depend on which client wins a race inside the application.
    pub fn fail_alike(self, one: &Judgement, other: &Judgement) -> bool {
        let disagree = |id: &CheckId| self.find(id).is_some_and(|check| check.symptom().is_between_clients());
        let alike = |one: &CheckId, other: &CheckId| one == other || disagree(one) && disagree(other);
        one.failed().any(|(one, _)| other.failed().any(|(other, _)| alike(one, other)))
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks(CHECKS)
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}
