//! The experiment of the Simian paper on Firepad, repeated: `make evaluation` writes docs/evaluation.md and its pictures. Every
//! figure on that page is measured in this run. `COLOBUS_EVALUATION=short` leaves out what takes long and writes below
//! target/ instead.

mod document;
mod experiment;
mod machine;
mod paper;
mod picture;

use std::fs;
use std::path::Path;

use experiment::{EXPERIMENTS, Experiment};
use machine::Machine;

/// Where the sections of other benchmarks begin, which are kept.
const OTHERS: &str = "<!-- Written by `make ";

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let short = std::env::var("COLOBUS_EVALUATION").is_ok_and(|extent| extent == "short");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = if short { Path::new(env!("CARGO_TARGET_TMPDIR")).join("evaluation") } else { root.join("docs") };
    fs::create_dir_all(docs.join("evaluation"))?;
    let machine = Machine::now();
    let out = tempfile::tempdir()?;
    let mut results = Vec::new();
    for experiment in EXPERIMENTS.iter().filter(|experiment: &&Experiment| !short || experiment.is_short) {
        eprintln!("evaluation: {}", experiment.arguments.join(" "));
        results.push(experiment.run(&root.join("subjects/firepad"), out.path())?);
    }
    let page = docs.join("evaluation.md");
    let others = fs::read_to_string(&page).unwrap_or_default();
    let others = others.split_once(OTHERS).map(|(_, sections)| format!("\n{OTHERS}{sections}")).unwrap_or_default();
    fs::write(&page, document::write(&machine, &results, &docs)? + &others)?;
    eprintln!("evaluation: wrote {}", page.display());
    Ok(())
}
