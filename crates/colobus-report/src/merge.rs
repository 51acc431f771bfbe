//! [`merge`]: the reports of all shards of a search as one. [`merge_folders`]: the same for their folders.
//!
//! Every shard runs phase 1 as a whole and its own part of phase 2: counts of phase 1 are kept, those of phase 2 added.
//! The result does not depend on the order of the arguments, and giving a shard twice changes nothing.

mod counts;
mod findings;
mod folders;

use colobus_model::{Case, Report, RootCause, Tolerance};

use counts::{merged_counts, merged_exercise, merged_gaps, merged_places, merged_timing, never_applied};
use findings::{Source, joined_findings};
pub use folders::{Merged, merge_folders};

const MOST_SHARDS: usize = 10_000;

/// Why reports cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error("there is nothing to merge: name the folders of the shards")]
    Nothing,
    #[error("these are not parts of one search: {what} is {one} in one report and {other} in another")]
    Different { what: &'static str, one: String, other: String },
    #[error("a report covers the whole search, not a shard of it: leave it out, or run it with --shard i/n")]
    NotAShard,
    #[error("shard {part} of {parts} is there twice, with different results: keep one of them")]
    TwoResults { part: usize, parts: usize },
    #[error(
        "shard {part} of {parts} is not a part of a search: parts are numbered from 1, and there are {MOST_SHARDS} at most"
    )]
    NoSuchShard { part: usize, parts: usize },
    #[error("{} is one of the shards: choose a folder of its own for the joined report", .0.display())]
    IntoItself(std::path::PathBuf),
    #[error("a report cannot be written as JSON to compare it with the others: {0}; please report this")]
    Serialize(#[from] serde_json::Error),
    #[error(transparent)]
    Files(#[from] crate::ReportError),
}

/// Joins the reports of the shards of one search. Missing shards are no error, because a report of what is there is worth
/// more than none; but the result says that it is not complete, and what is missing.
pub fn merge(reports: &[Report]) -> Result<Report, MergeError> {
    merge_with_sources(reports).map(|(report, _)| report)
}

/// The report, and for each of its findings, in order, where it came from.
fn merge_with_sources(reports: &[Report]) -> Result<(Report, Vec<Source>), MergeError> {
    let written: Result<Vec<String>, serde_json::Error> = reports.iter().map(serde_json::to_string).collect();
    let written = written?;
    let mut parts: Vec<(usize, &Report)> = reports.iter().enumerate().collect();
    // By what the reports say, not by where they stand; equal reports end up side by side.
    parts.sort_by_key(|(index, report)| (report.shard, &written[*index]));
    parts.dedup_by(|(_, one), (_, other)| one == other);

    let (_, first) = *parts.first().ok_or(MergeError::Nothing)?;
    for (_, report) in &parts {
        same_search(first, report)?;
    }
    let stopped = reasons_to_doubt(&parts)?;

    let (mut findings, sources) = joined_findings(&parts);
    let mut root_causes = RootCause::group(&mut findings);
    let all: Vec<&Report> = parts.iter().map(|(_, report)| *report).collect();
    // What the shards accepted is accepted.
    for cause in &mut root_causes {
        let same = all.iter().flat_map(|report| &report.root_causes).filter(|known| known.name == cause.name);
        cause.accepted = same.filter_map(|known| known.accepted.clone()).next();
    }
    let mut counts = merged_counts(&all);
    counts.findings = findings.len();
    counts.root_causes = root_causes.len();

    let mut unknown: Vec<_> = all.iter().flat_map(|report| report.unknown.iter().cloned()).collect();
    unknown.sort_by(|a, b| (&a.case, &a.reason).cmp(&(&b.case, &b.reason)));
    // Every shard runs phase 1 as a whole.
    unknown.dedup_by(|one, other| one == other && matches!(one.case, Case::Sequence { .. }));
    let mut report = Report {
        exploration: None,
        lines: None,
        version: first.version,
        search: first.search,
        application: first.application.clone(),
        configuration: first.configuration.clone(),
        recording: None,
        explored: None,
        around: first.around.clone(),
        browser: joined(all.iter().map(|report| report.browser.clone())).join(", "),
        seed: first.seed,
        depth: first.depth,
        clients: first.clients,
        shard: None,
        stopped: (!stopped.is_empty()).then(|| stopped.join("; ")),
        actions: first.actions.clone(),
        counts,
        timing: merged_timing(&all),
        findings,
        root_causes,
        gone: Vec::new(),
        personal: merged_places(&all),
        unknown,
        not_applicable: merged_gaps(&all),
        never_applied: never_applied(&all),
        exercised: merged_exercise(&all),
        unexercised: Vec::new(),
        nothing_to_do: all.iter().find_map(|report| report.nothing_to_do.clone()),
        not_as_recorded: joined(all.iter().flat_map(|report| report.not_as_recorded.iter().cloned())),
        script_errors: joined(all.iter().flat_map(|report| report.script_errors.iter().cloned())),
        tolerance: strictest(&all),
        doubts: Vec::new(),
        notes: joined(all.iter().flat_map(|report| report.notes.iter().cloned())),
    };
    report.doubts = report.doubts_about();
    report.unexercised = report.unexercised();
    Ok((report, sources))
}

fn same_search(first: &Report, report: &Report) -> Result<(), MergeError> {
    let list = |report: &Report| report.actions.join(", ");
    let parts = |report: &Report| report.shard.map(|(_, parts)| parts.to_string()).unwrap_or_default();
    let facts = [
        ("the version", first.version.to_string(), report.version.to_string()),
        ("the search", first.search.command().to_string(), report.search.command().to_string()),
        ("the application", first.application.clone(), report.application.clone()),
        ("the list of actions", list(first), list(report)),
        ("the depth", first.depth.to_string(), report.depth.to_string()),
        ("the number of clients", first.clients.to_string(), report.clients.to_string()),
        ("the seed", first.seed.to_string(), report.seed.to_string()),
    ];
    for (what, one, other) in facts {
        if one != other {
            return Err(MergeError::Different { what, one, other });
        }
    }
    match (first.shard, report.shard) {
        (None, Some(_)) | (Some(_), None) => Err(MergeError::NotAShard),
        (None, None) if first != report => Err(MergeError::NotAShard),
        _ if parts(first) != parts(report) => {
            let (one, other) = (parts(first), parts(report));
            Err(MergeError::Different { what: "the number of shards", one, other })
        }
        _ => Ok(()),
    }
}

/// Why the joined search is not complete: shards that stopped early or are missing. The parts are sorted by shard.
fn reasons_to_doubt(parts: &[(usize, &Report)]) -> Result<Vec<String>, MergeError> {
    let mut reasons = Vec::new();
    let mut present = Vec::new();
    for (_, report) in parts {
        let Some((part, parts)) = report.shard else {
            reasons.extend(report.stopped.clone());
            continue;
        };
        if part == 0 || part > parts || parts > MOST_SHARDS {
            return Err(MergeError::NoSuchShard { part, parts });
        }
        if present.contains(&part) {
            return Err(MergeError::TwoResults { part, parts });
        }
        present.push(part);
        reasons.extend(report.stopped.as_ref().map(|reason| format!("shard {part} of {parts}: {reason}")));
    }
    let all: Vec<&Report> = parts.iter().map(|(_, report)| *report).collect();
    reasons.extend(missing_shards(&all));
    Ok(reasons)
}

/// Which shards of the search are not among these reports, as a sentence; `None` if all are there.
fn missing_shards(reports: &[&Report]) -> Option<String> {
    let (_, parts) = reports.first()?.shard?;
    let is_there = |part: &usize| reports.iter().any(|report| report.shard.is_some_and(|(there, _)| there == *part));
    let missing: Vec<String> = (1..=parts).filter(|part| !is_there(part)).map(|part| part.to_string()).collect();
    match &missing[..] {
        [] => None,
        [one] => Some(format!("shard {one} of {parts} is missing")),
        many => Some(format!("shards {} of {parts} are missing", many.join(", "))),
    }
}

/// What all shards accept: none of them was started with less.
fn strictest(reports: &[&Report]) -> Tolerance {
    Tolerance {
        unknown: reports.iter().map(|report| report.tolerance.unknown).fold(1.0, f64::min),
        partial: reports.iter().all(|report| report.tolerance.partial),
    }
}

/// Every text once, in alphabetical order.
fn joined(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    texts
}
