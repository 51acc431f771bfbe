//! Ellis and Gibbs, 1989: ties go to the site with the smaller priority; equal characters at a tie are kept once.

use crate::{Op, Transformation};

/// The function of Ellis and Gibbs; a site's priority is its number.
pub struct Ellis;

impl Transformation for Ellis {
    type Extra = ();

    #[inline(always)]
    fn ins_ins(&self, a: Op, b: Op) -> Op {
        if a.position < b.position {
            a
        } else if a.position > b.position {
            a.right()
        } else if a.character == b.character {
            a.nop()
        } else if a.site > b.site {
            a.right()
        } else {
            a
        }
    }

    #[inline(always)]
    fn ins_del(&self, a: Op, b: Op) -> Op {
        if a.position < b.position { a } else { a.left() }
    }
}
