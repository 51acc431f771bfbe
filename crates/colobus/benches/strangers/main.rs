//! Applications that Colobus was not made for: `make strangers`. Those of `subjects/small` that are no text editors, each with its bug and
//! repaired, searched with nothing but their address, as a new user does, and with their configuration: found, missed, false?
//! Written into docs/evaluation.md.
//!
//! `cargo bench --package colobus --bench strangers -- chat alone` runs what these words select. Results are kept in
//! `docs/evaluation/strangers.json`, so that an interrupted run goes on; `-- again` runs the selected ones once more, `-- nothing` only writes the page.

#[path = "../small/circumstances.rs"]
mod circumstances;
mod document;
mod run;
#[path = "../small/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use run::{Outcome, Search, Version, Way};

/// Text editors are what Colobus was made for.
const EDITORS: [&str; 1] = ["line"];

/// What came out of each search, by its name.
pub type Kept = BTreeMap<String, Outcome>;

fn main() -> anyhow::Result<()> {
    // `cargo test --benches` only wants to know that this compiles and starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let again = words.iter().any(|word| word == "again");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation/strangers.json");
    let mut kept: Kept = match fs::read(&file) {
        Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| format!("{} is not a result", file.display()))?,
        Err(_) => Kept::new(),
    };
    let applications = applications()?;
    let searches = all(&applications);
    let nothing = words.iter().any(|word| word == "nothing");
    for search in searches.iter().filter(|_| !nothing).filter(|search| is_selected(search, &words, &applications)) {
        if kept.contains_key(&search.name()) && !again {
            continue;
        }
        eprintln!("strangers: {}", search.name());
        let outcome = search.run()?;
        eprintln!("strangers:   {} in {:.0} s: {}", outcome.verdict, outcome.seconds, outcome.about);
        kept.insert(search.name(), outcome);
        fs::write(&file, serde_json::to_vec_pretty(&kept)?)?;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/evaluation.md");
    document::write_into(&page, &applications, &kept)
}

fn applications() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(run::folder())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.join("app.js").exists() && !EDITORS.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn all(applications: &[String]) -> Vec<Search> {
    let mut searches = Vec::new();
    for application in applications {
        for way in [Way::Alone, Way::Configured] {
            let search = |version| Search { application: application.clone(), way, version };
            searches.extend([Version::Bug, Version::Repaired].map(search));
        }
    }
    searches
}

/// Words that name applications select those, `alone` and `configured` the way; nothing selects everything.
fn is_selected(search: &Search, words: &[String], applications: &[String]) -> bool {
    let named: Vec<&String> = words.iter().filter(|word| applications.contains(word)).collect();
    let ways: Vec<&String> = words.iter().filter(|word| Way::WORDS.contains(&word.as_str())).collect();
    (named.is_empty() || named.contains(&&search.application))
        && (ways.is_empty() || ways.iter().any(|word| *word == search.way.word()))
}
