//! [`trial`]: mutated inputs for one kind of file or message, given to what reads it by a test of its crate.

use crate::outcome::Outcome;
use crate::programs::{CrateTest, CrateTests};

const BLOCK: usize = 20_000;

const fn test(package: &'static str, target: &'static str, name: &'static str) -> CrateTest {
    CrateTest { package, target, name }
}

pub const TESTS: &[CrateTest] = &[
    test("colobus", "colobus", "config::fuzzed::configurations"),
    test("colobus-record", "all", "fuzzed::recordings"),
    test("colobus-record", "all", "fuzzed::sessions_of_other_tools"),
    test("colobus-model", "all", "fuzzed::traces"),
    test("colobus-model", "all", "fuzzed::reports"),
    test("colobus-model", "all", "fuzzed::schedules"),
    test("colobus-model", "all", "fuzzed::reproductions"),
    test("colobus-learn", "all", "fuzzed::captures"),
    test("colobus-proxy", "colobus_proxy", "fuzzed::frames"),
    test("colobus-proxy", "colobus_proxy", "fuzzed::messages_of_http"),
];

pub fn trial(tests: &CrateTests, number: usize, left: usize) -> anyhow::Result<Outcome> {
    let test = TESTS[number % TESTS.len()];
    let amount = BLOCK.min(left);
    let environment = [("COLOBUS_FUZZED_INPUTS", amount.to_string()), ("COLOBUS_FUZZ_SEED", (number + 1).to_string())];
    let outcome = tests.run(test, &environment)?;
    let note = format!("{amount} inputs for {} {}", test.package, test.name);
    Ok(Outcome { amount, note, ..outcome })
}
