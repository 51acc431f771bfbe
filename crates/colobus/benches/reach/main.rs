//! How many lines `colobus reach` reaches: `make bench-reach`. Every application of `subjects/reach` has a `truth.toml` that says
//! which lines a person can reach, and how. Each is explored, and searched with the whole method and without parts of it; the
//! table is written into docs/reach.md after each application.
//!
//! `cargo bench --package colobus --bench reach -- dice-roller whole explored` runs what these words select (applications and parts).
//! Results are kept in `docs/evaluation/reach.jsonl`, so that an interrupted run goes on; `-- afresh` makes the selected ones again,
//! `-- nothing` only writes the page.

#[path = "../small/circumstances.rs"]
mod circumstances;
mod explored;
mod files;
mod kept;
mod part;
mod program;
mod search;
mod selection;
mod table;
mod truth;

use std::path::{Path, PathBuf};

use anyhow::Context;

use files::AppServer;
use kept::{Kept, Result};
use part::Part;
use program::Program;
use selection::Selection;
use truth::Truth;

/// An application with lines to search for.
struct Application {
    name: String,
    folder: PathBuf,
    truth: Truth,
}

impl Application {
    fn read(folder: PathBuf) -> anyhow::Result<Application> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let truth = Truth::read(&folder.join("truth.toml"), &served(&folder))?;
        Ok(Application { name, folder, truth })
    }

    fn run(&self, program: &Program, part: Part) -> anyhow::Result<Result> {
        // One for each part: what one leaves on the server is not there for the next.
        let server = AppServer::start(&served(&self.folder))?;
        Ok(match part {
            Part::Explored => Result::Explored(explored::run(program, &server.url(), &self.truth)?),
            _ => {
                let path = self.folder.join("truth.toml");
                Result::Searched(search::run(program, &server.url(), &path, &self.truth, part)?)
            }
        })
    }
}

/// An application that a package brings is copied into `app`.
fn served(folder: &Path) -> PathBuf {
    let copied = folder.join("app");
    if copied.is_dir() { copied } else { folder.to_path_buf() }
}

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let applications = applications(&root.join("subjects/reach"))?;
    let names: Vec<String> = applications.iter().map(|application| application.name.clone()).collect();
    let selection = Selection::read(&words, &names)?;
    let mut kept = Kept::open()?;
    if selection.is_afresh {
        kept.forget(&selection)?;
    }
    let (program, page) = (Program::copy()?, root.join("docs/reach.md"));
    for application in &applications {
        let name = &application.name;
        let mut ran = false;
        for part in Part::ALL.into_iter().filter(|part| selection.has(name, *part)) {
            if kept.is_done(name, part) {
                continue;
            }
            eprintln!("reach: {name}, {part}");
            kept.add(name, part, application.run(&program, part)?)?;
            ran = true;
        }
        if ran {
            table::write_into(&page, &table::section(&applications, &kept))?;
        }
    }
    let text = table::section(&applications, &kept);
    table::write_into(&page, &text)?;
    println!("{text}");
    Ok(())
}

/// Those with a truth file, in order.
fn applications(folder: &Path) -> anyhow::Result<Vec<Application>> {
    let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join("truth.toml").is_file());
    found.sort();
    found.into_iter().map(Application::read).collect()
}
