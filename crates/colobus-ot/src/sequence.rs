//! [`Sequence`]: up to eight small numbers in one machine word, so that states are compared and hashed without pointers.

use std::fmt;

use crate::operation::OpSet;

/// A sequence of operations or sites: four bits each, one more than the number, the first in the lowest bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sequence(u32);

impl Sequence {
    /// How many numbers it has.
    pub fn len(self) -> usize {
        (35 - self.0.leading_zeros() as usize) / 4
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number at an index, if there is one.
    pub fn get(self, index: usize) -> Option<u8> {
        let nibble = self.0.checked_shr(4 * index as u32)? & 15;
        (nibble > 0).then(|| nibble as u8 - 1)
    }

    /// The sequence with one more number below eight at its end; a sequence of eight takes no more.
    #[must_use]
    pub fn pushed(self, number: u8) -> Self {
        Sequence(self.0 | (u32::from(number & 7) + 1).checked_shl(4 * self.len() as u32).unwrap_or(0))
    }

    /// Its numbers in order.
    pub fn iter(self) -> impl Iterator<Item = u8> + Clone {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// The numbers before a given one, as a set.
    pub fn before(self, number: u8) -> OpSet {
        OpSet::of(self.iter().take_while(|&other| other != number))
    }

    /// All its numbers, as a set.
    pub fn members(self) -> OpSet {
        OpSet::of(self.iter())
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_eight_numbers_in_order() {
        let numbers = [3, 0, 7, 1, 2, 6, 5, 4];
        let sequence = numbers.into_iter().fold(Sequence::default(), Sequence::pushed);
        assert_eq!(sequence.iter().collect::<Vec<_>>(), numbers);
        assert_eq!((sequence.len(), sequence.get(2), sequence.get(8)), (8, Some(7), None));
        assert_eq!(sequence.before(7), OpSet::of([0, 3]));
        assert!(Sequence::default().is_empty());
    }
}
