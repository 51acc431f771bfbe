//! Whether verdicts are about the application: `make soundness`. The small applications of `subjects/small`, each with its bug
//! and repaired, on servers that take their time: is the bug found and does it come back, is the repaired one clean, and what
//! does an interaction cost? Written into docs/evaluation.md, with everything that was run so far.
//!
//! `cargo bench --package colobus --bench soundness -- chat 300ms running` runs what these words select (applications and
//! settings; of several words of one kind, each). Results are kept beside the page, so that an interrupted run goes on;
//! `-- again` runs the selected ones once more, `-- afresh` forgets everything. `-- nothing` only writes the page.

#[path = "../small/busy_loops.rs"]
mod busy_loops;
#[path = "../small/circumstances.rs"]
mod circumstances;
mod document;
mod kept;
mod search;
#[path = "../small/server.rs"]
mod server;
mod setting;

use std::path::Path;

use kept::Kept;
use search::Program;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let settings = setting::selected(&words)?;
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let mut kept = Kept::open(has(setting::AFRESH))?;
    let program = Program::copy()?;
    for (number, setting) in settings.iter().enumerate() {
        if kept.result(setting).is_some() && !has(setting::AGAIN) {
            continue;
        }
        eprintln!("soundness: {} of {}: {setting}", number + 1, settings.len());
        let result = search::run(&program, setting)?;
        eprintln!("soundness:   {result}");
        kept.add(setting, result)?;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation.md");
    document::write_into(&page, kept.lines())?;
    eprintln!("soundness: wrote {}", page.display());
    Ok(())
}
