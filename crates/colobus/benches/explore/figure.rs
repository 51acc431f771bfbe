//! Figure 10.9 of the thesis on our own applications: the lines that run with the same number of sequences, after loading only, with the
//! real server empty and full, with random JSON, with a learned server, and with one that was corrected by hand; and the time for a third
//! of the sequences with the full and with the learned server.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::subject::{applications, database};
use crate::tool::{colobus, report};

pub const APPLICATIONS: [&str; 4] = ["attendance", "news", "resume", "files"];

/// Prints one row for each application.
pub fn compare(wanted: &[String], budget: usize) {
    println!("| application | learned: {0} sequences | full: {0} | load | empty | full | random | learned | corrected |", budget / 3);
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let (all, some) = (budget.to_string(), (budget / 3).to_string());
    for name in APPLICATIONS.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|word| word == name)) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        learn(name, folder.path());
        let lines = |data: &str, more: &[&str]| {
            let running = database(name, &["--twin", "fixed", "--data", data]);
            let arguments = ["explore", &running.url, "--repeat", "1", "--allow-partial", "--allow-unknown", "100%"];
            colobus(folder.path(), &[&arguments[..], more].concat());
            report(folder.path()).exploration.map_or(0, |explored| explored.lines_covered)
        };
        let server = ["--server", "api/api.ail"];
        let took = |more: &[&str]| {
            let begun = Instant::now();
            lines("full", &[&["--budget", &some], more].concat());
            begun.elapsed().as_secs_f64()
        };
        let times = [took(&server), took(&[])].map(|seconds| format!("{seconds:.0} s"));
        let reached = [
            lines("full", &["--budget", "1", "--walk", "0"]),
            lines("empty", &["--budget", &all]),
            lines("full", &["--budget", &all]),
            lines("random", &["--budget", &all]),
            lines("full", &[&["--budget", &all], &server[..]].concat()),
            {
                correct(name, folder.path());
                lines("full", &[&["--budget", &all], &server[..]].concat())
            },
        ];
        let reached: Vec<String> = reached.iter().map(ToString::to_string).collect();
        println!("| {name} | {} | {} |", times.join(" | "), reached.join(" | "));
    }
}

/// Learns from what a client asks the real server.
fn learn(name: &str, folder: &Path) {
    let running = database(name, &["--twin", "fixed"]);
    let client = applications().join("client.py").display().to_string();
    colobus(folder, &["learn", "--run", &format!("python3 {client} {name} {}", running.url), "-o", "api"]);
}

/// Puts what was corrected by hand in the place of what was learned.
fn correct(name: &str, folder: &Path) {
    for file in fs::read_dir(applications().join(name).join("corrected")).into_iter().flatten().flatten() {
        fs::copy(file.path(), folder.join("api").join(file.file_name())).expect("a copy");
    }
}
