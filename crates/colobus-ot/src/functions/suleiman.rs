//! Suleiman, Cart and Ferrié, 1998: an insert remembers which concurrent deletions happened before and after it.

use crate::{Op, OpSet, Parameters, Transformation};

/// The function of Suleiman and others; characters are ordered by their code, the larger first.
pub struct Suleiman;

/// The deletions an insert has met: those to its left and those to its right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Met {
    /// Deletions of a character before the insert.
    pub pre: OpSet,
    /// Deletions of a character after the insert.
    pub post: OpSet,
}

impl Parameters for Met {
    fn describe(&self, name: &dyn Fn(u8) -> String) -> Vec<String> {
        let set = |ops: OpSet| format!("{{{}}}", ops.iter().map(name).collect::<Vec<_>>().join(","));
        vec![set(self.pre), set(self.post)]
    }
}

impl Transformation for Suleiman {
    type Extra = Met;
    const USES_SITES: bool = false;

    #[inline(always)]
    fn ins_ins(&self, a: Op<Met>, b: Op<Met>) -> Op<Met> {
        if a.position < b.position {
            a
        } else if a.position > b.position || a.extra.pre.meets(b.extra.post) {
            a.right()
        } else if a.extra.post.meets(b.extra.pre) || a.character > b.character {
            a
        } else if a.character < b.character {
            a.right()
        } else {
            a.nop()
        }
    }

    #[inline(always)]
    fn ins_del(&self, mut a: Op<Met>, b: Op<Met>) -> Op<Met> {
        if a.position <= b.position {
            a.extra.post = a.extra.post.with(b.id);
            a
        } else {
            a.extra.pre = a.extra.pre.with(b.id);
            a.left()
        }
    }
}
