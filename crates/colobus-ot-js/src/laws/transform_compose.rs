//! Transforming over a composition is transforming over its parts, by effect.
//!
//! Attractive, and false for most types that keep compositions in one pass over the document: where a delete and an
//! insert meet, the composition has forgotten their order. A server-ordered system does not need it.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::subject::{Facts, Side};

pub struct TransformCompose;

impl Law for TransformCompose {
    fn id(&self) -> &'static str {
        "transform-compose"
    }

    fn statement(&self) -> &'static str {
        "c transformed over compose(a, b) has the effect of c transformed over a, then over b"
    }

    fn claim(&self, facts: &Facts) -> Claim {
        if facts.compose { Claim::Unclaimed } else { Claim::Absent }
    }

    fn shape(&self) -> Shape {
        Shape::Sequence { beside: 1 }
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a, b, c] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("transform-compose is about three operations".to_owned()));
        };
        let after_a = run.edit(format_args!("apply(document, a)"), &case.document, a)?;
        let base = run.edit(format_args!("apply(a, then b)"), &after_a, b)?;
        run.edit(format_args!("apply(document, c)"), &case.document, c)?;
        let both = run.compose(format_args!("ab = compose(a, b)"), a, b)?;
        for side in [Side::Left, Side::Right] {
            let name = side.name();
            let at_once = run.transform(format_args!("transform(c, ab, {name})"), c, &both, side)?;
            let over_a = run.transform(format_args!("transform(c, a, {name})"), c, a, side)?;
            let in_turn = run.transform(format_args!("the same over b, {name}"), &over_a, b, side)?;
            let left = run.apply(format_args!("a, b, then c over ab"), &base, &at_once)?;
            let right = run.apply(format_args!("a, b, then c over a and b"), &base, &in_turn)?;
            run.agree(
                (format_args!("c over compose(a, b), {name}"), &left),
                (format_args!("c over a, then over b, {name}"), &right),
            )?;
        }
        Ok(())
    }
}
