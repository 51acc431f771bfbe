//! Normalizing changes an operation's form, not its effect.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::subject::Facts;

pub struct Normalize;

impl Law for Normalize {
    fn id(&self) -> &'static str {
        "normalize"
    }

    fn statement(&self) -> &'static str {
        "apply(document, normalize(a)) gives the same document as a"
    }

    fn claim(&self, facts: &Facts) -> Claim {
        Claim::if_present(facts.normalize)
    }

    fn shape(&self) -> Shape {
        Shape::Concurrent(1)
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("normalize is about one operation".to_owned()));
        };
        let left = run.edit(format_args!("apply(document, a)"), &case.document, a)?;
        let normal = run.normalize(format_args!("a' = normalize(a)"), a)?;
        let right = run.apply(format_args!("apply(document, a')"), &case.document, &normal)?;
        run.agree((format_args!("a"), &left), (format_args!("normalize(a)"), &right))
    }
}
