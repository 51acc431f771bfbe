//! [`Section`]: a part of a page that this program writes, and that of docs/performance.md: a row for each case.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::Problem;
use crate::case::Measured;

/// A part of a page of docs/ that this program writes, between two comments.
pub struct Section {
    command: &'static str,
}

const END: &str = "<!-- End of what it writes -->\n";
const GROWTH: Section = Section::of("cargo bench --package colobus-run --bench scale");

impl Section {
    pub const fn of(command: &'static str) -> Section {
        Section { command }
    }

    pub fn write(&self, page: &Path, content: &str) -> Result<(), Problem> {
        let text = fs::read_to_string(page)?;
        let begin = format!("<!-- Written by `{}` -->\n", self.command);
        let place = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
        let (before, after) = place.ok_or_else(|| format!("{} has no place for it: {begin}", page.display()))?;
        fs::write(page, format!("{before}{begin}{content}{END}{after}"))?;
        Ok(())
    }
}

pub fn write_into(page: &Path, all: &[Measured]) -> Result<(), Problem> {
    let picture = "![Milliseconds of the tool per interaction, by the number of interactions](scale.svg)\n";
    GROWTH.write(page, &format!("{}\n{picture}", table(all)))
}

pub fn table(all: &[Measured]) -> String {
    let mut text = String::from(
        "| search | interactions | executions | CPU per interaction | CPU of grouping and reduction | journal per interaction | memory | CPU of resuming |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for measured in all {
        let Measured { case, interactions, executions, reduce_s, journal_bytes, memory_bytes, resume_s, .. } = measured;
        let count = (*interactions).max(1);
        let _ = writeln!(
            text,
            "| {case} | {interactions} | {executions} | {:.2} ms | {reduce_s:.1} s | {} B | {} MB | {resume_s:.1} s |",
            per_interaction_ms(measured),
            journal_bytes / count as u64,
            memory_bytes / 1_000_000,
        );
    }
    text
}

pub fn per_interaction_ms(measured: &Measured) -> f64 {
    measured.search_s * 1000.0 / measured.interactions.max(1) as f64
}
