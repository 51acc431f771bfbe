//! How many lines `colobus reach` reaches: `make bench-reach`. Every application of `subjects/reach` has a `truth.toml` that says
//! which lines a person can reach, and how. Each is searched with the whole method and without parts of it. Written into
//! docs/reach.md. `-- dice-roller` runs one application only and prints its table; `-- whole` leaves the other modes out.

mod files;
mod search;
mod table;

use std::path::{Path, PathBuf};

use anyhow::Context;

use files::AppServer;
use search::{Mode, Searched};

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_mode = |word: &String| Mode::ALL.iter().any(|mode| mode.word() == word);
    let (modes, words): (Vec<String>, Vec<String>) = words.into_iter().partition(is_mode);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut results: Vec<Searched> = Vec::new();
    for folder in applications(&root.join("subjects/reach"))? {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !words.is_empty() && !words.contains(&name) {
            continue;
        }
        // An application that a package brings is copied there.
        let copied = folder.join("app");
        let server = AppServer::start(if copied.is_dir() { &copied } else { &folder })?;
        for mode in Mode::ALL.into_iter().filter(|mode| modes.is_empty() || modes.iter().any(|it| it == mode.word())) {
            eprintln!("reach: {name}, {mode}");
            results.push(search::run(&name, &server.url(), &folder.join("truth.toml"), mode)?);
        }
    }
    let text = table::section(&results);
    println!("{text}");
    if words.is_empty() {
        table::write_into(&root.join("docs/reach.md"), &text)?;
    }
    Ok(())
}

/// The folders with a truth file, in order.
fn applications(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join("truth.toml").is_file());
    found.sort();
    Ok(found)
}
