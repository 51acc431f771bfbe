//! Randomness from a seed alone: every random case has a generator of its own, so that its number says it all.

use colobus_random::Random;

/// The generator of case `index` of a law.
pub fn for_case(seed: u64, law: &str, index: u64) -> Random {
    let mut random = Random::new(seed);
    for byte in law.bytes() {
        random = Random::new(random.number() ^ u64::from(byte));
    }
    Random::new(random.number() ^ index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_depends_on_seed_law_and_index() {
        let first = |seed, law, index| for_case(seed, law, index).number();
        assert_eq!(first(1, "tp1", 7), first(1, "tp1", 7));
        assert_ne!(first(1, "tp1", 7), first(2, "tp1", 7));
        assert_ne!(first(1, "tp1", 7), first(1, "tp2", 7));
        assert_ne!(first(1, "tp1", 7), first(1, "tp1", 8));
    }
}
