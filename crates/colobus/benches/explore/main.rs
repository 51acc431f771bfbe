//! `colobus explore` beside gremlins.js and Bombadil, and with other servers. Words select parts and subjects:
//! `cargo bench --bench explore -- compare shop`; all of them without words.
//!
//! - `compare`: lines that ran with the same time, medians of five seeds (`COLOBUS_RUNS`, `COLOBUS_SECONDS` change numbers)
//! - `mutants`: which of 30 mistakes each tool sees
//! - `replays`: how often every finding comes back
//! - `figure`: figure 10.9 of the thesis on our own applications (`COLOBUS_BUDGET` sequences)

mod compared;
mod figure;
mod mutants;
mod replays;
#[path = "../../tests/all/explore/site.rs"]
#[expect(dead_code, reason = "only one page with a bug is compared on")]
mod site;
mod subject;
mod tool;

use std::path::{Path, PathBuf};
use std::time::Duration;

use subject::SUBJECTS;
use tool::Tool;

const PARTS: [&str; 4] = ["compare", "mutants", "replays", "figure"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (parts, subjects): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| PARTS.contains(&word.as_str()));
    let does = |part: &str| parts.is_empty() || parts.iter().any(|word| word == part);
    if does("compare") {
        compare(&subjects);
    }
    if does("mutants") {
        mutants::compare(Duration::from_secs(number("COLOBUS_SECONDS", 12)));
    }
    if does("replays") {
        replays::compare(&subjects);
    }
    if does("figure") {
        figure::compare(&subjects, usize::try_from(number("COLOBUS_BUDGET", 300)).unwrap_or(300));
    }
}

fn compare(wanted: &[String]) {
    let (runs, time) = (number("COLOBUS_RUNS", 5), Duration::from_secs(number("COLOBUS_SECONDS", 20)));
    println!("{} s for each tool, {runs} runs\n", time.as_secs());
    println!("| subject | tool | lines (median) | lines in each run | errors in each run | actions a second |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let all: Vec<_> = SUBJECTS.into_iter().filter(|subject| is_wanted(subject.name)).collect();
    let medians: Vec<_> = all.into_iter().map(|subject| compared::compare(subject, time, runs)).collect();
    let (behind, ahead) = compared::judge(&medians);
    println!("\n{} is ahead of both others on {ahead} of {} subjects", Tool::Explore.name(), medians.len());
    assert!(behind.is_empty(), "behind one of the others on {}", behind.join(", "));
    assert!(ahead >= 3 || medians.len() < SUBJECTS.len(), "ahead of both on fewer than three subjects");
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// What the other tools need.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/explore")
}
