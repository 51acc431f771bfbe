//! What Colobus survives: `make torture`. Kills the tool, browser processes and the application and pauses renderers at moments drawn
//! from a seed, searches pages that misbehave, mutates inputs, exports hostile strings, watches the memory of a long run, and searches
//! correct applications on a busy machine.
//! Writes a table of what was lost, doubled, false, hung or left behind into docs/reliability.md.
//!
//! `cargo bench --package colobus --bench torture -- tool browser=20` runs these parts, the second with 20 trials. Results are kept
//! in `docs/evaluation/torture.jsonl`, so that an interrupted run goes on; `-- afresh` forgets those of the selected parts,
//! `-- nothing` only writes the table.

mod busy;
#[path = "../small/busy_loops.rs"]
mod busy_loops;
#[path = "../small/circumstances.rs"]
mod circumstances;
mod exports;
mod family;
mod fuzz;
mod hostile;
mod kept;
mod kills;
mod memory;
mod outcome;
mod part;
mod programs;
mod search;
mod table;

use std::path::Path;

use kept::Kept;
use part::Part;
use programs::{CrateTest, CrateTests};

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let selected = part::selected(&words)?;
    let mut kept = Kept::open()?;
    if words.iter().any(|word| word == part::AFRESH) {
        kept.forget(&selected)?;
    }
    let is_selected =
        |wanted: Part| selected.iter().any(|(part, amount)| *part == wanted && kept.amount(wanted) < *amount);
    let tests: &[_] = &[(Part::Fuzz, fuzz::TESTS), (Part::Exports, exports::TESTS)];
    let tests: Vec<CrateTest> =
        tests.iter().filter(|(part, _)| is_selected(*part)).flat_map(|(_, tests)| tests.iter().copied()).collect();
    let tests = CrateTests::build(&tests)?;
    for (part, amount) in &selected {
        while kept.amount(*part) < *amount {
            let trial = kept.trials(*part).len();
            eprintln!("torture: {}: trial {}, {} of {amount}", part.word(), trial + 1, kept.amount(*part));
            let outcome = match part {
                Part::Tool | Part::Browser | Part::Application | Part::Paused => kills::trial(*part, trial)?,
                Part::Pages => hostile::trial(trial)?,
                Part::Fuzz => fuzz::trial(&tests, trial, amount - kept.amount(*part))?,
                Part::Exports => exports::trial(&tests, trial, amount - kept.amount(*part))?,
                Part::Memory => memory::trial(*amount)?,
                Part::Busy => busy::trial(trial)?,
            };
            eprintln!("torture:   {outcome}");
            kept.add(*part, outcome)?;
        }
    }
    table::write_into(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reliability.md"), &kept)
}
