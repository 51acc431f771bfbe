//! Oster, Urso, Molli and Imine, 2006 (tombstone transformation functions): nothing ever leaves the document, so a
//! position means the same character for ever and the order of two inserts cannot be forgotten.

use crate::{Op, Transformation};

/// The tombstone functions; ties go to the smaller site.
pub struct Ttf;

impl Transformation for Ttf {
    type Extra = ();
    const TOMBSTONES: bool = true;

    #[inline(always)]
    fn ins_ins(&self, a: Op, b: Op) -> Op {
        if a.position < b.position || (a.position == b.position && a.site < b.site) { a } else { a.right() }
    }

    #[inline(always)]
    fn ins_del(&self, a: Op, _b: Op) -> Op {
        a
    }

    #[inline(always)]
    fn del_del(&self, a: Op, _b: Op) -> Op {
        a
    }
}
