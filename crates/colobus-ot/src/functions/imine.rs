//! Imine and others, 2003: an insert remembers the position at which it was generated.

use crate::signature::Signature;
use crate::{Op, Parameters, Transformation};

/// The function of Imine and others; characters are ordered by their code, the smaller first.
pub struct Imine;

/// Where an operation was generated; no transformation changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Generated(pub u8);

impl Parameters for Generated {
    fn describe(&self, _name: &dyn Fn(u8) -> String) -> Vec<String> {
        vec![format!("ip={}", self.0)]
    }
}

impl Transformation for Imine {
    type Extra = Generated;
    const USES_SITES: bool = false;

    fn parameters(&self, signature: Signature) -> Generated {
        Generated(signature.position)
    }

    #[inline(always)]
    fn ins_ins(&self, a: Op<Generated>, b: Op<Generated>) -> Op<Generated> {
        let (rank_a, rank_b) = ((a.extra.0, a.character), (b.extra.0, b.character));
        if a.position < b.position {
            a
        } else if a.position > b.position {
            a.right()
        } else if rank_a < rank_b {
            a
        } else if rank_a > rank_b {
            a.right()
        } else {
            a.nop()
        }
    }

    #[inline(always)]
    fn ins_del(&self, a: Op<Generated>, b: Op<Generated>) -> Op<Generated> {
        if a.position > b.position { a.left() } else { a }
    }
}
