//! [`trial`]: hostile strings in findings, races, logins and recordings, through every exporter. What comes out is parsed, and has the same shape as
//! with harmless ones.

use crate::outcome::Outcome;
use crate::programs::{CrateTest, CrateTests};

const BLOCK: usize = 20_000;

const fn test(package: &'static str, name: &'static str) -> CrateTest {
    CrateTest { package, target: "all", name }
}

pub const TESTS: &[CrateTest] = &[
    test("colobus-export", "hostile_values::no_text_of_a_finding_becomes_code"),
    test("colobus-export", "hostile_values::no_text_of_a_race_becomes_code"),
    test("colobus-export", "hostile_values::no_text_of_a_login_becomes_code"),
    test("colobus-record", "exported_code::no_text_of_a_page_becomes_code"),
    test("colobus-record", "exported_code::no_text_of_a_page_becomes_structure"),
];

pub fn trial(tests: &CrateTests, number: usize, left: usize) -> anyhow::Result<Outcome> {
    let amount = BLOCK.min(left);
    let environment =
        [("COLOBUS_HOSTILE_STRINGS", amount.to_string()), ("COLOBUS_FUZZ_SEED", (number + 1).to_string())];
    let note = format!("{amount} strings, each through every exporter");
    let mut all = Outcome { amount, note, ..Outcome::default() };
    for test in TESTS {
        let outcome = tests.run(*test, &environment)?;
        (all.wrong, all.hung) = (all.wrong + outcome.wrong, all.hung + outcome.hung);
    }
    Ok(all)
}
