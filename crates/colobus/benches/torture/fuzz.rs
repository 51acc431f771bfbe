//! [`trial`]: mutated inputs for one kind of file or message, given to what reads it by a test of its crate.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use crate::search::LIMIT;

const BLOCK: usize = 20_000;
const LOOK: Duration = Duration::from_millis(100);

/// Crate, target and test. `make torture` compiles them before.
const TESTS: &[(&str, &[&str], &str)] = &[
    ("colobus", &["--bin", "colobus"], "config::fuzzed::configurations"),
    ("colobus-record", &["--test", "all"], "fuzzed::recordings"),
    ("colobus-record", &["--test", "all"], "fuzzed::sessions_of_other_tools"),
    ("colobus-model", &["--test", "all"], "fuzzed::traces"),
    ("colobus-model", &["--test", "all"], "fuzzed::reports"),
    ("colobus-model", &["--test", "all"], "fuzzed::schedules"),
    ("colobus-model", &["--test", "all"], "fuzzed::reproductions"),
    ("colobus-learn", &["--test", "all"], "fuzzed::captures"),
    ("colobus-proxy", &["--lib"], "fuzzed::frames"),
    ("colobus-proxy", &["--lib"], "fuzzed::messages_of_http"),
];

pub fn trial(number: usize, left: usize) -> anyhow::Result<Outcome> {
    let (package, target, test) = TESTS[number % TESTS.len()];
    let amount = BLOCK.min(left);
    let mut child = Command::new(option_env!("CARGO").unwrap_or("cargo"))
        .args(["test", "--quiet", "--package", package])
        .args(target)
        .args(["--", "--exact", test])
        .env("COLOBUS_FUZZED_INPUTS", amount.to_string())
        .env("COLOBUS_FUZZ_SEED", (number + 1).to_string())
        .stdout(Stdio::inherit())
        .spawn()?;
    let mut outcome = Outcome { amount, note: format!("{amount} inputs for {package} {test}"), ..Outcome::default() };
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            outcome.wrong = usize::from(!status.success());
            return Ok(outcome);
        }
        if begun.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            outcome.hung = 1;
            return Ok(outcome);
        }
        sleep(LOOK);
    }
}
