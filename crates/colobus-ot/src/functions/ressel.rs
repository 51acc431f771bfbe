//! Ressel, Nitsche-Ruhland and Gunzenhäuser, 1996: ties go to the smaller site.

use crate::{Op, Transformation};

/// The function of Ressel and others.
pub struct Ressel;

impl Transformation for Ressel {
    type Extra = ();

    #[inline(always)]
    fn ins_ins(&self, a: Op, b: Op) -> Op {
        if a.position < b.position || (a.position == b.position && a.site < b.site) { a } else { a.right() }
    }

    #[inline(always)]
    fn ins_del(&self, a: Op, b: Op) -> Op {
        if a.position <= b.position { a } else { a.left() }
    }
}
