//! Sites that talk to each other: each integrates operation by operation.

use super::plan::Plan;
use super::replay::Executed;
use crate::integrate::integrate;
use crate::operation::Op;
use crate::transformation::Transformation;

/// The forms that each trace executes.
pub(super) fn run<T: Transformation>(
    function: &T,
    plan: &Plan,
    originals: &[Op<T::Extra>],
) -> Vec<Vec<Executed<T::Extra>>> {
    let executed = |trace: &Vec<u8>| {
        let steps = trace.iter().enumerate();
        steps
            .map(|(done, &id)| Executed { id, op: integrate(function, &plan.order, originals, &trace[..done], id) })
            .collect()
    };
    plan.traces.iter().map(|(_, trace)| executed(trace)).collect()
}
