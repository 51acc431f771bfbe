//! Mutated inputs: what a file or a message becomes when bytes of it are lost, doubled, exchanged or made up. Drawn from a seed
//! by the tests of every parser; a few hundred in an ordinary run, as many as `COLOBUS_FUZZED_INPUTS` says in `make torture`.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use colobus_random::Random;

/// How many inputs an ordinary run tries.
const USUALLY: u64 = 300;

/// No input gets longer than this many times its sample.
const MOST_GROWTH: usize = 4;

/// What parsers stumble over.
const TOKENS: &[&str] = &[
    "",
    "\0",
    "\r\n",
    "\n\n",
    "\"",
    "\\",
    "\\u",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "=",
    ":",
    ",",
    ";",
    "-",
    "+",
    ".",
    "0",
    "-1",
    "1e999",
    "NaN",
    "18446744073709551616",
    "9223372036854775807",
    "4294967296",
    "null",
    "true",
    "\u{feff}",
    "\u{2028}",
    "\u{202e}",
    "\u{10ffff}",
    "é",
    "{doc}",
    "{token}",
    "{port}",
    "http://",
    "//",
    "..",
    "%",
    "%00",
    "\t",
    "   ",
    "\u{7f}",
    "\x1b[2J",
];

/// Gives every mutated input to `read`. Panics with the input if `read` does.
///
/// ```
/// colobus_mutate::each(&[b"12", b"-7"], |input| {
///     let _ = std::str::from_utf8(input).map(str::parse::<i32>);
/// });
/// ```
pub fn each(samples: &[&[u8]], read: impl Fn(&[u8])) {
    let number = |name: &str, otherwise| env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise);
    let (count, seed) = (number("COLOBUS_FUZZED_INPUTS", USUALLY), number("COLOBUS_FUZZ_SEED", 0));
    for index in 0..count {
        let input = mutated(samples, seed.wrapping_mul(1 << 32).wrapping_add(index));
        if catch_unwind(AssertUnwindSafe(|| read(&input))).is_err() {
            panic!("input {index} of seed {seed} panics: {:?}", String::from_utf8_lossy(&input));
        }
    }
}

/// One of the samples with one to eight changes. The same for the same seed.
pub fn mutated(samples: &[&[u8]], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let sample = samples[random.below(samples.len())];
    let mut input = sample.to_vec();
    for _ in 0..=random.below(8) {
        change(&mut input, samples, &mut random);
        input.truncate(sample.len().max(16) * MOST_GROWTH);
    }
    input
}

fn change(input: &mut Vec<u8>, samples: &[&[u8]], random: &mut Random) {
    let from = random.below(input.len() + 1);
    let to = (from + random.below(24)).min(input.len());
    match random.below(9) {
        0 if from < input.len() => input[from] ^= 1 << random.below(8),
        1 if from < input.len() => input[from] = random.below(256) as u8,
        2 => drop(input.drain(from..to)),
        3 => {
            let part = input[from..to].to_vec();
            insert(input, random.below(input.len() + 1), &part);
        }
        4 => input.truncate(from),
        5 => {
            let other = samples[random.below(samples.len())];
            let begin = random.below(other.len() + 1);
            let end = (begin + random.below(64)).min(other.len());
            insert(input, from, &other[begin..end]);
        }
        6 => {
            let part = input[from..to].repeat(1 + random.below(40));
            insert(input, from, &part);
        }
        _ => {
            let token = TOKENS[random.below(TOKENS.len())];
            let end = if random.below(2) == 0 { from } else { to };
            input.splice(from..end, token.bytes());
        }
    }
}

fn insert(input: &mut Vec<u8>, at: usize, part: &[u8]) {
    input.splice(at..at, part.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_seed_is_an_input_and_seeds_differ() {
        // Long enough that few mutations of them are the same.
        let samples: &[&[u8]] = &[
            b"{\"name\": \"a board\", \"cards\": [{\"title\": \"first\", \"done\": false}, {\"title\": \"second\", \"done\": true}]}",
            b"[1, 2, 3, [4.5, -6, 7e8], \"nine\", null, true, {\"ten\": [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}]",
        ];
        let inputs: BTreeSet<Vec<u8>> = (0..1000).map(|seed| mutated(samples, seed)).collect();
        assert!(inputs.len() > 900, "{} different inputs", inputs.len());
        assert_eq!(mutated(samples, 7), mutated(samples, 7));
    }

    #[test]
    fn an_input_that_panics_is_told() {
        let told = catch_unwind(|| each(&[b"x"], |input| assert!(!input.is_empty())));
        let told = *told.expect_err("some input is empty").downcast::<String>().expect("a text");
        assert!(told.ends_with("of seed 0 panics: \"\""), "{told}");
    }
}
