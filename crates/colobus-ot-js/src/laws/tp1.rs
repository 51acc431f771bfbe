//! TP1: two concurrent operations lead to the same document in either order.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::json::Json;
use crate::subject::{Facts, Side};

pub struct Tp1;

impl Law for Tp1 {
    fn id(&self) -> &'static str {
        "tp1"
    }

    fn statement(&self) -> &'static str {
        "a then transform(b, a, right) gives the same document as b then transform(a, b, left)"
    }

    fn claim(&self, _facts: &Facts) -> Claim {
        Claim::Claimed
    }

    fn shape(&self) -> Shape {
        Shape::Concurrent(2)
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a, b] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("tp1 is about two operations".to_owned()));
        };
        let after_a = run.edit(format_args!("apply(document, a)"), &case.document, a)?;
        let after_b = run.edit(format_args!("apply(document, b)"), &case.document, b)?;
        diamond(run, ("a", a, &after_a), ("b", b, &after_b))
    }
}

/// An operation's name, the operation, and the document it leads to.
pub(super) type Arm<'a> = (&'a str, &'a Json, &'a Json);

/// Closes the diamond of two concurrent operations; the first has the left side.
pub(super) fn diamond(
    run: &mut Run<'_>,
    (a_name, a, after_a): Arm<'_>,
    (b_name, b, after_b): Arm<'_>,
) -> Result<(), Stop> {
    let b_moved = run.transform(format_args!("{b_name}' = transform({b_name}, {a_name}, right)"), b, a, Side::Right)?;
    let left = run.apply(format_args!("apply({a_name}, then {b_name}')"), after_a, &b_moved)?;
    let a_moved = run.transform(format_args!("{a_name}' = transform({a_name}, {b_name}, left)"), a, b, Side::Left)?;
    let right = run.apply(format_args!("apply({b_name}, then {a_name}')"), after_b, &a_moved)?;
    run.agree((format_args!("{a_name} then {b_name}'"), &left), (format_args!("{b_name} then {a_name}'"), &right))
}
