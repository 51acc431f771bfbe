//! [`Table`]: the verdicts beside what is true, in Markdown; a row is told on stderr as soon as it is there.

use std::time::Duration;

use crate::application::{Trial, Verdict};

#[derive(Default)]
pub struct Table {
    rows: Vec<String>,
    pub wrong: usize,
}

impl Table {
    pub fn add(&mut self, trial: &Trial, verdict: &Verdict, took: Duration) {
        let report = &verdict.report;
        let is_right = verdict.exit_code == i32::from(trial.bug);
        self.wrong += usize::from(!is_right);
        let findings: Vec<String> = report
            .findings
            .iter()
            .map(|finding| format!("{} {} of {}", finding.check, finding.reproduced, finding.attempts))
            .collect();
        let said = match (verdict.exit_code, findings.is_empty()) {
            (_, false) => findings.join(", "),
            (0, true) => "nothing found".to_string(),
            (_, true) => report.doubts.join("; "),
        };
        let speed = match trial.jitter_ms {
            0 => format!("{} ms", trial.think_ms),
            jitter => format!("{} to {} ms", trial.think_ms, trial.think_ms + jitter),
        };
        let row = format!(
            "| {} | {} | {speed} | {} | {said} | {} | {:.0} ms | {:.0} s |",
            trial.application.name,
            if trial.bug { "bug" } else { "repaired" },
            if is_right { "right" } else { "**wrong**" },
            report.counts.interactions.unknown,
            report.timing.interaction_ms_median,
            took.as_secs_f64(),
        );
        eprintln!("{row}");
        for note in &report.notes {
            eprintln!("      {note}");
        }
        self.rows.push(row);
    }

    pub fn print(&self) {
        println!("| application | | server thinks | verdict | what was said | unknown | an interaction | all |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for row in &self.rows {
            println!("{row}");
        }
    }
}
