//! The section of docs/performance.md: a row for each case.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::Problem;
use crate::case::Measured;

/// What stands between these is ours.
const BEGIN: &str = "<!-- Written by `cargo bench --package colobus-run --bench scale` -->\n";
const END: &str = "<!-- End of what it writes -->\n";

pub fn write_into(page: &Path, all: &[Measured]) -> Result<(), Problem> {
    let text = fs::read_to_string(page)?;
    let (before, rest) = text.split_once(BEGIN).ok_or("docs/performance.md has no place for the growth of cost")?;
    let (_, after) = rest.split_once(END).ok_or("docs/performance.md has no end of the growth of cost")?;
    let picture = "![Milliseconds of the tool per interaction, by the number of interactions](scale.svg)\n";
    fs::write(page, format!("{before}{BEGIN}{}\n{picture}{END}{after}", table(all)))?;
    Ok(())
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
