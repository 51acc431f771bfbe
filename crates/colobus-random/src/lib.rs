//! [`Random`]: numbers from a seed. Consumed by everything that draws: strategies, the mock, the checker of operational
//! transformation, tests.
//!
//! The generator is SplitMix64, written here because its numbers are part of results: a seed means the same on every machine and in every
//! version, which the generators of the usual crates do not promise.

/// A generator whose numbers depend on its seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for a purpose of its own: the same seed and name give the same numbers.
    pub fn named(seed: u64, name: &[u8]) -> Random {
        // FNV-1a: the standard library's hasher may change between its versions.
        let hash = name
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
        let mut random = Random(seed ^ hash.rotate_left(17));
        random.number();
        random
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % (bound.max(1) as u64)).unwrap_or(0)
    }

    /// True in `share` of a hundred cases.
    pub fn percent(&mut self, share: u8) -> bool {
        self.below(100) < usize::from(share)
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut random = Random::new(1234567);
        let numbers = [random.number(), random.number(), random.number()];
        assert_eq!(numbers, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn names_have_numbers_of_their_own() {
        let first = |seed, name: &[u8]| Random::named(seed, name).number();
        assert_eq!(first(1, b"answers"), first(1, b"answers"));
        assert_ne!(first(1, b"answers"), first(1, b"delays"));
        assert_ne!(first(1, b"answers"), first(2, b"answers"));
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        assert_eq!(Random::new(7).below(0), 0);
        assert_eq!(Random::new(7).pick::<u8>(&[]), None);
        assert!(!Random::new(7).percent(0) && Random::new(7).percent(100));
    }
}
