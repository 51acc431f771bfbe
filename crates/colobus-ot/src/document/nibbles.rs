//! Up to sixteen cells of four bits in one machine word, the first in the lowest bits, and which of them are tombstones
//! in another. Almost every setting that can be searched exhaustively fits, and an operation is a few instructions.

use super::{Document, TOMBSTONE};

/// A document in two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nibbles {
    cells: u64,
    buried: u16,
}

impl Nibbles {
    /// The largest cell.
    pub const LARGEST: usize = 15;

    /// The bits of all cells before a position.
    #[inline(always)]
    fn before(position: u32) -> u64 {
        (1 << (4 * position)) - 1
    }
}

impl Document for Nibbles {
    const CAPACITY: usize = 16;

    fn new(cells: &[u8]) -> Self {
        let cells = cells.iter().rev().fold(0, |bits, &cell| bits << 4 | u64::from(cell & 15));
        Nibbles { cells, buried: 0 }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        (67 - self.cells.leading_zeros() as usize) / 4
    }

    fn cells(&self) -> Vec<u8> {
        let cell =
            |at: usize| (self.cells >> (4 * at) & 15) as u8 | if self.buried >> at & 1 == 1 { TOMBSTONE } else { 0 };
        (0..self.len()).map(cell).collect()
    }

    #[inline(always)]
    fn insert(&mut self, position: u8, cell: u8) {
        let position = u32::from(position).min(self.len() as u32) & 15;
        let before = Self::before(position);
        self.cells = (self.cells & before) | u64::from(cell) << (4 * position) | (self.cells & !before) << 4;
        let before = (1u16 << position) - 1;
        self.buried = (self.buried & before) | (self.buried & !before) << 1;
    }

    /// Only documents without tombstones delete, so those need not move.
    #[inline(always)]
    fn delete(&mut self, position: u8) {
        let before = Self::before(u32::from(position).min(15));
        self.cells = (self.cells & before) | (self.cells >> 4 & !before);
    }

    #[inline(always)]
    fn bury(&mut self, position: u8) {
        if usize::from(position) < self.len() {
            self.buried |= 1 << position;
        }
    }
}
