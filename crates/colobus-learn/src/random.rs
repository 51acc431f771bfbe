//! [`Random`]: numbers from a seed (SplitMix64). Consumed by instances and the mock.

/// A generator whose numbers depend on its seed alone.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for a purpose of its own: the same seed and name give the same numbers.
    pub fn named(seed: u64, name: &[u8]) -> Random {
        // FNV-1a: the standard library's hasher may change between its versions, and answers must not.
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
