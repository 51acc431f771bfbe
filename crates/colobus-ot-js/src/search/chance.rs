//! Randomness from a seed alone: every random case has a generator of its own, so that its number says it all.

pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The generator of case `index` of a law.
    pub fn for_case(seed: u64, law: &str, index: u64) -> Chance {
        let mut chance = Chance::new(seed);
        for byte in law.bytes() {
            chance.0 = chance.next() ^ u64::from(byte);
        }
        chance.0 = chance.next() ^ index;
        chance
    }

    /// SplitMix64.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        match u64::try_from(bound) {
            Ok(bound) if bound > 0 => (self.next() % bound) as usize,
            _ => 0,
        }
    }

    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_depends_on_seed_law_and_index() {
        let first = |seed, law, index| Chance::for_case(seed, law, index).next();
        assert_eq!(first(1, "tp1", 7), first(1, "tp1", 7));
        assert_ne!(first(1, "tp1", 7), first(2, "tp1", 7));
        assert_ne!(first(1, "tp1", 7), first(1, "tp2", 7));
        assert_ne!(first(1, "tp1", 7), first(1, "tp1", 8));
    }
}
