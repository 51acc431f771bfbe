//! Coverage with the same time on the same pages: medians of several seeds.

use std::time::Duration;

use crate::subject::Subject;
use crate::tool::{Reached, Tool, reach};

/// Lines that ran on a subject: the median of each tool, in the order of [`Tool::ALL`].
pub struct Medians {
    pub subject: &'static str,
    pub lines: Vec<usize>,
}

/// Prints a row for each tool.
pub fn compare(subject: Subject, time: Duration, runs: u64) -> Medians {
    let mut medians = Vec::new();
    for tool in Tool::ALL {
        let all: Vec<Reached> = (0..runs)
            .map(|seed| {
                let running = subject.start();
                let reached = reach(tool, &running.url, time, seed);
                assert!(reached.actions > 0, "{} did nothing on {}", tool.name(), subject.name);
                reached
            })
            .collect();
        let mut lines: Vec<usize> = all.iter().map(|reached| reached.lines).collect();
        lines.sort_unstable();
        let median = lines[lines.len() / 2];
        let said: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let bugs: Vec<String> = all.iter().map(|reached| reached.errors.len().to_string()).collect();
        let actions: usize = all.iter().map(|reached| reached.actions).sum();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand actions")]
        let rate = actions as f64 / (time.as_secs_f64() * runs as f64);
        let (subject, tool, bugs) = (subject.name, tool.name(), bugs.join(", "));
        println!("| {subject} | {tool} | {median} | {} | {bugs} | {rate:.1} |", said.join(", "));
        medians.push(median);
    }
    Medians { subject: subject.name, lines: medians }
}

/// Says where `explore` is behind one of the others, and how often it is ahead of both.
pub fn judge(all: &[Medians]) -> (Vec<&'static str>, usize) {
    let most = |medians: &Medians| medians.lines.iter().skip(1).copied().max().unwrap_or_default();
    let behind = all.iter().filter(|it| it.lines[0] < most(it)).map(|it| it.subject).collect();
    (behind, all.iter().filter(|it| it.lines[0] > most(it)).count())
}
