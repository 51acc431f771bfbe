//! [`Signature`]: what a user chooses when generating an operation, before any transformation.

use crate::operation::{Kind, Op};
use crate::transformation::Transformation;

/// The operator, position and character of a freshly generated operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// Insert or delete; users do not generate [`Kind::Nop`].
    pub kind: Kind,
    /// Where, counted from 0.
    pub position: u8,
    /// The rank of the inserted character in the alphabet, 0 for a deletion.
    pub character: u8,
}

impl Signature {
    /// An insert.
    pub fn ins(position: u8, character: u8) -> Self {
        Signature { kind: Kind::Ins, position, character }
    }

    /// A deletion.
    pub fn del(position: u8) -> Self {
        Signature { kind: Kind::Del, position, character: 0 }
    }

    /// The operation as its user executes it.
    #[inline(always)]
    pub fn generate<T: Transformation>(self, function: &T, site: u8, id: u8) -> Op<T::Extra> {
        let Signature { kind, position, character } = self;
        Op { kind, position, character, site, id, extra: function.parameters(self) }
    }

    /// Whether a user who sees a document of `length` characters can generate it.
    #[inline(always)]
    pub fn fits(self, length: usize) -> bool {
        usize::from(self.position) < length + usize::from(self.kind == Kind::Ins)
    }
}

impl<X> From<Op<X>> for Signature {
    fn from(op: Op<X>) -> Self {
        Signature { kind: op.kind, position: op.position, character: op.character }
    }
}
