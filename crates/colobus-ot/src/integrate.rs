//! The integration procedure by direct execution, one operation at a time. The searches compile it to programs; this is
//! the plain version that counterexamples are confirmed with and that the concrete model runs.

use crate::operation::Op;
use crate::order::CausalOrder;
use crate::transformation::Transformation;

/// The form in which `operation` is executed after a history of other operations.
pub fn integrate<T: Transformation>(
    function: &T,
    order: &CausalOrder,
    originals: &[Op<T::Extra>],
    history: &[u8],
    operation: u8,
) -> Op<T::Extra> {
    let happened_before = |&&other: &&u8| order.precedes(other, operation);
    let before: Vec<u8> = history.iter().filter(happened_before).copied().collect();
    let concurrent = history.iter().filter(|other| !happened_before(other)).copied();
    let mut rearranged = before.clone();
    let mut form = originals[usize::from(operation)];
    for other in concurrent {
        let other_form = integrate(function, order, originals, &rearranged, other);
        form = function.transform(form, other_form);
        rearranged.push(other);
    }
    form
}
