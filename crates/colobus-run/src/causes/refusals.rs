//! [`Refusals`]: what a server refuses users who take turns as well. A status that comes then too is an answer, not an error.

use std::collections::BTreeSet;

use colobus_check::{Checks, Symptom, refusals_alone};
use colobus_model::{CheckId, ErrorKind, Trace};
use colobus_schedule::orders::one_after_the_other;
use colobus_world::{World, WorldError};

use super::certainly;
use crate::Failure;
use crate::execute::{Setup, follow};

/// Statuses of answers in control runs.
#[derive(Default)]
pub(super) struct Refusals {
    known: BTreeSet<u16>,
}

impl Refusals {
    /// Asked only where a refusal is all that is new.
    pub fn of(world: &mut dyn World, setup: &Setup, trace: &Trace, failure: &Failure) -> Result<Refusals, WorldError> {
        let mut refusals = Refusals::default();
        if !failure.checks().any(|check| finds_errors(check, setup.checks)) || refusals_alone(trace).is_none() {
            return Ok(refusals);
        }
        for reversed in [false, true] {
            let order = one_after_the_other(&trace.interaction, reversed);
            let control = certainly(|| follow(world, setup, &trace.interaction, &order))?;
            let errors = control.trace.observations.iter().flat_map(|seen| &seen.errors);
            refusals.known.extend(errors.filter_map(|error| match error.kind {
                ErrorKind::Refused(status) => Some(status),
                _ => None,
            }));
        }
        Ok(refusals)
    }

    /// The failure without the check for errors, if all that is new are refusals that control runs have, too; `None` if nothing is
    /// left of it.
    pub fn left_of(&self, failure: Failure, trace: &Trace, checks: Checks) -> Option<Failure> {
        let are_known = refusals_alone(trace).is_some_and(|statuses| statuses.is_subset(&self.known));
        if are_known { failure.without(|check| finds_errors(check, checks)) } else { Some(failure) }
    }
}

fn finds_errors(check: &CheckId, checks: Checks) -> bool {
    checks.find(check).is_some_and(|check| check.symptom() == Symptom::NewError)
}
