//! Composing is doing one after the other.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::subject::Facts;

pub struct Compose;

impl Law for Compose {
    fn id(&self) -> &'static str {
        "compose"
    }

    fn statement(&self) -> &'static str {
        "apply(document, compose(a, b)) gives the same document as a, then b"
    }

    fn claim(&self, facts: &Facts) -> Claim {
        Claim::if_present(facts.compose)
    }

    fn shape(&self) -> Shape {
        Shape::Sequence { beside: 0 }
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a, b] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("compose is about two operations".to_owned()));
        };
        let after_a = run.edit(format_args!("apply(document, a)"), &case.document, a)?;
        let left = run.edit(format_args!("apply(a, then b)"), &after_a, b)?;
        let both = run.compose(format_args!("ab = compose(a, b)"), a, b)?;
        let right = run.apply(format_args!("apply(document, ab)"), &case.document, &both)?;
        run.agree((format_args!("a then b"), &left), (format_args!("compose(a, b)"), &right))
    }
}
