//! TP2: an operation transformed over two concurrent ones has the same effect whichever of them came first.
//!
//! Needed where no server orders the operations. Judged by effect, not by form: two spellings of the same change
//! are no divergence. The earlier operation of the case has the left side.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::json::Json;
use crate::subject::{Facts, Side};

pub struct Tp2;

impl Law for Tp2 {
    fn id(&self) -> &'static str {
        "tp2"
    }

    fn statement(&self) -> &'static str {
        "c transformed over a then b' has the effect of c transformed over b then a'"
    }

    fn claim(&self, facts: &Facts) -> Claim {
        if facts.tp2 { Claim::Claimed } else { Claim::Unclaimed }
    }

    fn shape(&self) -> Shape {
        Shape::Concurrent(3)
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        if case.operations.len() != 3 {
            return Err(Stop::Inapplicable("tp2 is about three operations".to_owned()));
        }
        for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
            run.start_afresh();
            third_over_two(run, case, a, b, c)?;
        }
        Ok(())
    }
}

fn third_over_two(run: &mut Run<'_>, case: &Case, a: usize, b: usize, c: usize) -> Result<(), Stop> {
    let document = &case.document;
    for index in [b, c] {
        let name = Case::name(index);
        run.edit(format_args!("apply(document, {name})"), document, &case.operations[index])?;
    }
    let name = Case::name(a);
    let after_a = run.edit(format_args!("apply(document, {name})"), document, &case.operations[a])?;
    let b_over_a = over(run, case, b, a)?;
    let a_over_b = over(run, case, a, b)?;
    let c_over_a = over(run, case, c, a)?;
    let c_over_b = over(run, case, c, b)?;
    let (a_name, b_name, c_name) = (Case::name(a), Case::name(b), Case::name(c));
    let base = run.apply(format_args!("apply({a_name}, then {b_name}')"), &after_a, &b_over_a)?;
    let one = run.transform(format_args!("{c_name} over {a_name} then {b_name}'"), &c_over_a, &b_over_a, side(c, b))?;
    let two = run.transform(format_args!("{c_name} over {b_name} then {a_name}'"), &c_over_b, &a_over_b, side(c, a))?;
    let left = run.apply(format_args!("the first applied after {a_name} and {b_name}'"), &base, &one)?;
    let right = run.apply(format_args!("the second applied after {a_name} and {b_name}'"), &base, &two)?;
    run.agree(
        (format_args!("{c_name} over {a_name} then {b_name}'"), &left),
        (format_args!("{c_name} over {b_name} then {a_name}'"), &right),
    )
}

fn side(operation: usize, other: usize) -> Side {
    if operation < other { Side::Left } else { Side::Right }
}

fn over(run: &mut Run<'_>, case: &Case, operation: usize, other: usize) -> Result<Json, Stop> {
    let side = side(operation, other);
    let (name, other_name, side_name) = (Case::name(operation), Case::name(other), side.name());
    run.transform(
        format_args!("transform({name}, {other_name}, {side_name})"),
        &case.operations[operation],
        &case.operations[other],
        side,
    )
}
