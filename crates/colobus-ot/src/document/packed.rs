//! Up to sixteen cells in one 128-bit number, the first in the lowest byte.

use super::{Document, TOMBSTONE};

/// A document in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed(u128);

impl Packed {
    /// The bits of all cells before a position.
    #[inline(always)]
    fn before(position: usize) -> u128 {
        (1u128 << (8 * position)) - 1
    }
}

impl Document for Packed {
    const CAPACITY: usize = 16;

    fn new(cells: &[u8]) -> Self {
        Packed(cells.iter().rev().fold(0, |bits, &cell| bits << 8 | u128::from(cell)))
    }

    #[inline(always)]
    fn len(&self) -> usize {
        (135 - self.0.leading_zeros() as usize) / 8
    }

    fn cells(&self) -> Vec<u8> {
        self.0.to_le_bytes()[..self.len()].to_vec()
    }

    #[inline(always)]
    fn insert(&mut self, position: u8, cell: u8) {
        let position = usize::from(position).min(self.len()).min(Self::CAPACITY - 1);
        let before = Self::before(position);
        self.0 = (self.0 & before) | u128::from(cell) << (8 * position) | (self.0 & !before) << 8;
    }

    #[inline(always)]
    fn delete(&mut self, position: u8) {
        let before = Self::before(usize::from(position).min(Self::CAPACITY - 1));
        self.0 = (self.0 & before) | (self.0 >> 8 & !before);
    }

    #[inline(always)]
    fn bury(&mut self, position: u8) {
        if usize::from(position) < self.len() {
            self.0 |= u128::from(TOMBSTONE) << (8 * usize::from(position));
        }
    }
}
