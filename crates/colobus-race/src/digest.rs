//! Hashes that are the same on every machine and in every run (FNV-1a with a final mix).

/// The hash of a text.
pub fn text(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| step(hash, u64::from(byte)));
    mix(hash)
}

/// The hash of a sequence that has one more element.
pub fn push(hash: u64, element: u64) -> u64 {
    mix(step(hash, element.wrapping_add(0x9e37_79b9_7f4a_7c15)))
}

/// Spreads every bit over all others.
pub fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

fn step(hash: u64, element: u64) -> u64 {
    (hash ^ element).wrapping_mul(0x0000_0100_0000_01b3)
}
