//! Every operation that the description offers for a document can be applied to it.

use super::{Claim, Law, Run, Shape, Stop};
use crate::case::Case;
use crate::subject::Facts;

pub struct Applies;

impl Law for Applies {
    fn id(&self) -> &'static str {
        "apply"
    }

    fn statement(&self) -> &'static str {
        "every operation made for a document can be applied to it"
    }

    fn claim(&self, _facts: &Facts) -> Claim {
        Claim::Claimed
    }

    fn shape(&self) -> Shape {
        Shape::Concurrent(1)
    }

    fn is_about_refusal(&self) -> bool {
        true
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop> {
        let [a] = case.operations.as_slice() else {
            return Err(Stop::Inapplicable("apply is about one operation".to_owned()));
        };
        run.permit(&case.document, a)?;
        run.apply(format_args!("apply(document, a)"), &case.document, a)?;
        Ok(())
    }
}
