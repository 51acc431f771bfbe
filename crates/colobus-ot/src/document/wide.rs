//! Documents that do not fit into a register: an array of fixed capacity, so that copying one needs no allocation.

use super::{Document, TOMBSTONE};

const CAPACITY: usize = 112;

/// A document of up to 112 cells.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    cells: [u8; CAPACITY],
    len: usize,
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.cells[..self.len] == other.cells[..other.len]
    }
}

impl Eq for Wide {}

impl Document for Wide {
    const CAPACITY: usize = CAPACITY;

    fn new(cells: &[u8]) -> Self {
        let mut wide = Wide { cells: [0; CAPACITY], len: cells.len() };
        wide.cells[..cells.len()].copy_from_slice(cells);
        wide
    }

    fn len(&self) -> usize {
        self.len
    }

    fn cells(&self) -> Vec<u8> {
        self.cells[..self.len].to_vec()
    }

    fn insert(&mut self, position: u8, cell: u8) {
        let position = usize::from(position).min(self.len);
        self.cells.copy_within(position..self.len, position + 1);
        self.cells[position] = cell;
        self.len += 1;
    }

    fn delete(&mut self, position: u8) {
        let position = usize::from(position);
        if position < self.len {
            self.cells.copy_within(position + 1..self.len, position);
            self.len -= 1;
        }
    }

    fn bury(&mut self, position: u8) {
        if let Some(cell) = self.cells[..self.len].get_mut(usize::from(position)) {
            *cell |= TOMBSTONE;
        }
    }
}
