//! What Colobus survives: `make torture`. Kills the tool, browser processes and the application at moments drawn from a seed,
//! searches pages that misbehave, mutates inputs, watches the memory of a long run, and searches correct applications on a busy machine.
//! Prints a Markdown table of what was lost, doubled, false, hung or left behind.
//!
//! `cargo bench --package colobus --bench torture -- tool browser=20` runs these parts, the second with 20 trials. Results are kept
//! in the target folder, so that an interrupted run goes on; `-- afresh` forgets those of the selected parts.

mod busy;
mod family;
mod fuzz;
mod hostile;
mod kept;
mod kills;
mod memory;
mod outcome;
mod part;
mod search;
mod table;

use kept::Kept;
use part::Part;

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
    for (part, amount) in &selected {
        while kept.amount(*part) < *amount {
            let trial = kept.trials(*part).len();
            eprintln!("torture: {}: trial {}, {} of {amount}", part.word(), trial + 1, kept.amount(*part));
            let outcome = match part {
                Part::Tool | Part::Browser | Part::Application => kills::trial(*part, trial)?,
                Part::Pages => hostile::trial(trial)?,
                Part::Fuzz => fuzz::trial(trial, amount - kept.amount(*part))?,
                Part::Memory => memory::trial(*amount)?,
                Part::Busy => busy::trial(trial)?,
            };
            eprintln!("torture:   {outcome}");
            kept.add(*part, outcome)?;
        }
    }
    table::print(&kept);
    Ok(())
}
