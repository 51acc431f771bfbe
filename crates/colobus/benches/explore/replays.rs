//! Every finding, run again ten times.

use crate::figure::{LEARNED, learn};
use crate::subject::{SUBJECTS, database};
use crate::tool::explored;

/// Sequences on each page.
const BUDGET: &str = "24";

/// Prints how often each finding came back; an error if one did not every time.
pub fn compare(wanted: &[String]) {
    println!("| subject | finding | came back |");
    println!("| --- | --- | --- |");
    let mut lost = Vec::new();
    for subject in SUBJECTS {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == subject.name) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (running, server) = match subject.has_database() {
            true => {
                learn(subject.name, folder.path());
                (database(subject.name, &[]), &LEARNED[..])
            }
            false => (subject.start(), &[][..]),
        };
        let arguments = ["explore", &running.url, "--budget", BUDGET, "--repeat", "10"];
        for finding in explored(folder.path(), &[&arguments[..], server].concat()).findings {
            let (name, summary) = (subject.name, &finding.difference.summary);
            println!("| {name} | {summary} | {} of {} |", finding.reproduced, finding.attempts);
            if finding.reproduced < 10 {
                lost.push(format!("{name}: {summary}"));
            }
        }
    }
    assert!(lost.is_empty(), "did not come back every time: {}", lost.join("; "));
}
