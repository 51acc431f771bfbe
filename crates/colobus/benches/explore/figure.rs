//! Figure 10.9 of the thesis on our own applications: the lines that run with the same number of sequences, after loading only, with the
//! real server empty and full, with random JSON, with a learned server, and with one that was corrected by hand; the time for a third
//! of the sequences; and what is found with the learned server in the application and in its repaired twin.

use std::fs;
use std::path::Path;
use std::time::Instant;

use colobus_check::PageCheck;
use colobus_model::CheckId;

use crate::subject::{applications, database};
use crate::tool::{colobus, explored};

pub const APPLICATIONS: [&str; 4] = ["attendance", "news", "resume", "files"];
/// Those with a bug that only an answer shows that the real server never gives: the check that fails, and words of what it says.
const SEEDED: [(&str, PageCheck, &str); 2] =
    [("resume", PageCheck::Uncaught, "Cannot read properties of undefined"), ("files", PageCheck::Hang, "")];
/// What takes longer reports what it has: with random JSON everything breaks, and shrinking takes its time.
const LONGEST: &str = "10m";
pub const LEARNED: [&str; 2] = ["--server", "api/api.ail"];

/// What one exploration reached.
struct Row {
    lines: usize,
    /// The check that failed, and what it says.
    findings: Vec<(CheckId, String)>,
    seconds: f64,
    is_complete: bool,
}

impl Row {
    fn said(&self) -> String {
        format!("{}{}", self.lines, if self.is_complete { "" } else { " (stopped)" })
    }
}

/// Prints one row for each application, and says where the learned server is behind the full one.
pub fn compare(wanted: &[String], budget: usize) {
    let third = budget / 3;
    println!(
        "| application | {third} sequences: learned | full | load | empty | full | random | learned | corrected | \
         findings | repaired |"
    );
    println!("|{}", " --- |".repeat(11));
    let mut problems = Vec::new();
    for name in APPLICATIONS.into_iter().filter(|name| wanted.is_empty() || wanted.iter().any(|word| word == name)) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        learn(name, folder.path());
        let run = |twin: &str, data: &str, budget: usize, more: &[&str]| {
            explore(folder.path(), name, &["--twin", twin, "--data", data], budget, more)
        };
        let times = [run("fixed", "full", third, &LEARNED), run("fixed", "full", third, &[])];
        let load = run("fixed", "full", 1, &["--walk", "0"]);
        let [empty, full, random] = ["empty", "full", "random"].map(|data| run("fixed", data, budget, &[]));
        let learned = run("fixed", "full", budget, &LEARNED);
        let seeded = run("bug", "full", budget, &LEARNED);
        let corrected = match correct(name, folder.path()) {
            true => run("fixed", "full", budget, &LEARNED).said(),
            false => "nothing to correct".to_string(),
        };
        let times = times.map(|row| format!("{:.0} s", row.seconds)).join(" | ");
        let lines = [&load, &empty, &full, &random, &learned].map(Row::said).join(" | ");
        println!(
            "| {name} | {times} | {lines} | {corrected} | {} | {} |",
            seeded.findings.len(),
            learned.findings.len()
        );
        if learned.lines < full.lines {
            problems.push(format!("{name}: the learned server reaches fewer lines than the full one"));
        }
        if !learned.findings.is_empty() {
            problems.push(format!("{name}: found in the repaired twin: {:?}", learned.findings));
        }
        for (_, check, words) in SEEDED.iter().filter(|(of, ..)| *of == name) {
            let is_seeded = |(found, said): &(CheckId, String)| *found == check.id() && said.contains(words);
            if !seeded.findings.iter().any(is_seeded) {
                problems.push(format!("{name}: the seeded bug is not found, but {:?}", seeded.findings));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn explore(folder: &Path, name: &str, server: &[&str], budget: usize, more: &[&str]) -> Row {
    let running = database(name, server);
    let budget = budget.to_string();
    let limits = ["--repeat", "1", "--timeout", LONGEST];
    let begun = Instant::now();
    let report = explored(folder, &[&["explore", &running.url, "--budget", &budget], &limits[..], more].concat());
    let seconds = begun.elapsed().as_secs_f64();
    Row {
        lines: report.exploration.map_or(0, |explored| explored.lines_covered),
        findings: report.findings.into_iter().map(|finding| (finding.check, finding.difference.summary)).collect(),
        seconds,
        is_complete: report.counts.interactions.not_run == 0,
    }
}

/// Learns from what a client asks the real server.
pub fn learn(name: &str, folder: &Path) {
    let running = database(name, &["--twin", "fixed"]);
    let client = applications().join("client.py").display().to_string();
    let said = colobus(folder, &["learn", "--run", &format!("python3 {client} {name} {}", running.url), "-o", "api"]);
    assert!(folder.join("api/api.ail").is_file(), "{said}");
}

/// Puts what was corrected by hand in the place of what was learned, if there is anything.
fn correct(name: &str, folder: &Path) -> bool {
    let files: Vec<_> =
        fs::read_dir(applications().join(name).join("corrected")).into_iter().flatten().flatten().collect();
    for file in &files {
        fs::copy(file.path(), folder.join("api").join(file.file_name())).expect("a copy");
    }
    !files.is_empty()
}
