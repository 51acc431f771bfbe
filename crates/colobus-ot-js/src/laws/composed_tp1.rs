//! TP1 when one user's operation is a composition, as clients send that gather changes while they wait.

use super::tp1::diamond;
use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::subject::Facts;

pub struct ComposedTp1;

impl Law for ComposedTp1 {
    fn id(&self) -> &'static str {
        "composed-tp1"
    }

    fn statement(&self) -> &'static str {
        "tp1 between compose(a, b) and a concurrent c, on either side"
    }

    fn claim(&self, facts: &Facts) -> Claim {
        Claim::if_present(facts.compose)
    }

    fn shape(&self) -> Shape {
        Shape::Sequence { beside: 1 }
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a, b, c] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("composed-tp1 is about three operations".to_owned()));
        };
        let after_a = run.edit(format_args!("apply(document, a)"), &case.document, a)?;
        run.edit(format_args!("apply(a, then b)"), &after_a, b)?;
        let after_c = run.edit(format_args!("apply(document, c)"), &case.document, c)?;
        let both = run.compose(format_args!("ab = compose(a, b)"), a, b)?;
        // What the composition does, right or wrong, is for the compose law to judge.
        let after_both = run.apply(format_args!("apply(document, ab)"), &case.document, &both)?;
        diamond(run, ("ab", &both, &after_both), ("c", c, &after_c))?;
        diamond(run, ("c", c, &after_c), ("ab", &both, &after_both))
    }
}
