//! Whether verdicts are about the application: `make soundness`. The small applications of `subjects/small`, each with its bug
//! and repaired, on servers that take their time: is the bug found and does it come back, is the repaired one clean, and what
//! does an interaction cost? Printed as a Markdown table, a row for each kind of setting.
//!
//! `cargo bench --package colobus --bench soundness -- chat 300ms running` runs what these words select (applications and
//! settings; of several words of one kind, each). Results are kept in the target folder, so that an interrupted run goes on;
//! `-- afresh` begins again.

mod kept;
mod search;
mod server;
mod setting;
mod table;

use kept::Kept;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let settings = setting::selected(&words)?;
    let mut kept = Kept::open(words.iter().any(|word| word == setting::AFRESH))?;
    for (number, setting) in settings.iter().enumerate() {
        if kept.result(setting).is_some() {
            continue;
        }
        eprintln!("soundness: {} of {}: {setting}", number + 1, settings.len());
        let result = search::run(setting)?;
        eprintln!("soundness:   {result}");
        kept.add(setting, result)?;
    }
    let results: Vec<_> = settings.iter().filter_map(|setting| Some((setting, kept.result(setting)?))).collect();
    table::print(&results);
    Ok(())
}
