//! [`Document`]: the text a site shows, as small numbers, its cells. [`Nibbles`] keeps it in registers, [`Wide`] takes
//! what does not fit there.

mod nibbles;
mod wide;

pub use nibbles::Nibbles;
pub use wide::Wide;

use crate::operation::{Kind, Op, Parameters};
use crate::transformation::Transformation;

/// The bit that marks a cell as deleted in a document with tombstones.
pub const TOMBSTONE: u8 = 0x80;

/// A document: a short sequence of cells, none of them 0. Positions beyond its end mean its end.
#[allow(clippy::len_without_is_empty)] // nothing asks
pub trait Document: Clone + Eq + Send + Sync {
    /// How many cells it can hold.
    const CAPACITY: usize;

    /// The document with these cells.
    fn new(cells: &[u8]) -> Self;

    /// How many cells it has.
    fn len(&self) -> usize;

    /// Its cells in order.
    fn cells(&self) -> Vec<u8>;

    /// Put a cell at a position and move what follows.
    fn insert(&mut self, position: u8, cell: u8);

    /// Take the cell at a position out.
    fn delete(&mut self, position: u8);

    /// Mark the cell at a position as deleted.
    fn bury(&mut self, position: u8);

    /// Do what an operation says; `ink` turns an insert into the cell it writes.
    #[inline(always)]
    fn execute<T: Transformation, X: Parameters>(&mut self, op: Op<X>, ink: Ink) {
        match op.kind {
            Kind::Nop => {}
            Kind::Ins => self.insert(op.position, ink.cell(op.character, op.id)),
            Kind::Del if T::TOMBSTONES => self.bury(op.position),
            Kind::Del => self.delete(op.position),
        }
    }
}

/// What an insert leaves in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Its character: two inserts of the same character cannot be told apart, as for a reader.
    Character,
    /// Its identity, for questions such as "where did that insert go". The starting text must leave these cells free.
    Identity,
}

impl Ink {
    /// The cell an insert writes.
    #[inline(always)]
    pub fn cell(self, character: u8, id: u8) -> u8 {
        match self {
            Ink::Character => character + 1,
            Ink::Identity => id + 1,
        }
    }

    /// The cells of a text that leaves the identities free.
    pub fn leave_identities(cells: &[u8], operations: usize) -> Vec<u8> {
        cells.iter().map(|cell| cell + operations as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_documents_do_the_same(steps in prop::collection::vec((any::<bool>(), 0u8..20, 1u8..16), 0..8), buries: bool) {
            let start = [1, 2, 3, 4, 5];
            let (mut nibbles, mut wide) = (Nibbles::new(&start), Wide::new(&start));
            for (inserts, position, cell) in steps {
                match (inserts, buries) {
                    (true, _) => (nibbles.insert(position, cell), wide.insert(position, cell)),
                    (false, false) => (nibbles.delete(position), wide.delete(position)),
                    (false, true) => (nibbles.bury(position), wide.bury(position)),
                };
                prop_assert_eq!(nibbles.cells(), wide.cells());
                prop_assert_eq!(nibbles.len(), wide.len());
            }
        }
    }
}
