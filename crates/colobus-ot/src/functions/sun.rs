//! Sun and others, 1998: the operation that is integrated later goes to the right, whatever the tie.

use crate::{Op, Transformation};

/// The function of Sun and others, on single characters.
pub struct Sun;

impl Transformation for Sun {
    type Extra = ();
    const USES_SITES: bool = false;

    #[inline(always)]
    fn ins_ins(&self, a: Op, b: Op) -> Op {
        if a.position < b.position { a } else { a.right() }
    }

    #[inline(always)]
    fn ins_del(&self, a: Op, b: Op) -> Op {
        if a.position <= b.position { a } else { a.left() }
    }
}
