//! The section of docs/reach.md: a row for each application, what each part of the method is worth, and every line that was
//! missed.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::search::{Answered, Mode, Searched};

/// What stands between these is ours.
const BEGIN: &str = "<!-- Written by `make bench-reach` -->\n";
const END: &str = "<!-- End of what `make bench-reach` writes -->\n";

pub fn write_into(page: &Path, section: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let (before, rest) = text.split_once(BEGIN).context("docs/reach.md has no place for the table")?;
    let (_, after) = rest.split_once(END).context("docs/reach.md has no end of the table")?;
    fs::write(page, format!("{before}{BEGIN}{section}{END}{after}"))?;
    Ok(())
}

pub fn section(results: &[Searched]) -> String {
    let mut text = String::from(
        "| application | states, events, summaries | crawled | targets (sequence, parameters) | reached | without the search from the start | without priorities | without summaries | length | connectors | anchors pruned | a search | unsatisfiable reached |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for whole in results.iter().filter(|searched| searched.mode == Mode::Whole) {
        let other = |mode: Mode| results.iter().find(|it| it.mode == mode && it.application == whole.application);
        let count = |mode: Mode| other(mode).map(|searched| reached(searched).len());
        let _ = writeln!(
            text,
            "{}",
            row(whole, &[Mode::WithoutForward, Mode::WithoutPriorities, Mode::WithoutSummaries].map(count))
        );
    }
    let _ = writeln!(text, "\n{}", total(results));
    text.push_str(&missed(results));
    text
}

fn reached(searched: &Searched) -> Vec<&Answered> {
    searched.answers.targets.iter().filter(|target| target.can_be_reached() && target.reached).collect()
}

/// One application; `without` says how many lines are reached without parts of the method.
fn row(whole: &Searched, without: &[Option<usize>]) -> String {
    let counted = |count: &Option<usize>| count.map_or_else(|| "not run".to_string(), |count| count.to_string());
    let without: Vec<String> = without.iter().map(counted).collect();
    let without = without.join(" | ");
    let answers = &whole.answers;
    let of_kind = |kind: &str| answers.targets.iter().filter(|target| target.kind == kind).count();
    let reached = reached(whole);
    let possible = of_kind("sequence") + of_kind("parameters");
    let lengths: Vec<usize> = reached.iter().map(|target| target.steps.len()).collect();
    let connectors: usize = reached.iter().map(|target| target.connectors).sum();
    let sum = |of: fn(&Answered) -> usize| answers.targets.iter().map(of).sum::<usize>();
    let seconds: f64 = answers.targets.iter().map(|target| target.seconds).sum();
    let wrong = answers.targets.iter().filter(|target| !target.can_be_reached() && target.reached).count();
    format!(
        "| {} | {}, {}, {} | {:.0} s, {} runs | {possible} ({}, {}) | {} | {without} | {:.1} (to {}) | {:.1} | {} % | {:.1} s | {wrong} of {} |",
        whole.application,
        answers.states,
        answers.events,
        answers.summaries,
        answers.crawled_seconds,
        answers.runs,
        of_kind("sequence"),
        of_kind("parameters"),
        reached.len(),
        lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64,
        lengths.iter().max().copied().unwrap_or(0),
        connectors as f64 / reached.len().max(1) as f64,
        100 * sum(|target| target.pruned) / sum(|target| target.anchors).max(1),
        seconds / answers.targets.len().max(1) as f64,
        of_kind("unsatisfiable"),
    )
}

fn total(results: &[Searched]) -> String {
    let of = |mode: Mode| results.iter().filter(move |searched| searched.mode == mode);
    let possible: usize =
        of(Mode::Whole).flat_map(|it| &it.answers.targets).filter(|target| target.can_be_reached()).count();
    let count = |mode: Mode| of(mode).map(|searched| reached(searched).len()).sum::<usize>();
    let share = 100 * count(Mode::Whole) / possible.max(1);
    let others = Mode::ALL.into_iter().filter(|mode| *mode != Mode::Whole && of(*mode).next().is_some());
    let others: String = others.map(|mode| format!(", {} {mode}", count(mode))).collect();
    format!("{} of {possible} lines that a person can reach were reached ({share} %){others}.\n", count(Mode::Whole))
}

fn missed(results: &[Searched]) -> String {
    let mut text = String::new();
    for whole in results.iter().filter(|searched| searched.mode == Mode::Whole) {
        for target in &whole.answers.targets {
            let name = &whole.application;
            if target.known_way == Some(false) {
                let _ = writeln!(text, "- {name}, {}: the way in truth.toml does not reach it", target.line);
            }
            if target.can_be_reached() && !target.reached {
                let why = target.reasons.first().map_or("", String::as_str);
                let _ = writeln!(text, "- {name}, {} ({}): {}: {why}", target.line, target.kind, target.outcome);
            }
        }
    }
    if text.is_empty() { text } else { format!("Not reached:\n\n{text}") }
}
