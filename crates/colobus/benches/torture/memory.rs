//! [`trial`]: one long search, and how much memory it has every minute.

use std::time::Duration;

use colobus_model::Finding;

use crate::family;
use crate::outcome::Outcome;
use crate::search::Search;

const MINUTE: Duration = Duration::from_secs(60);
/// How much larger the last quarter of an hour may be than the second one: caches fill, and nothing else grows.
const MOST_GROWTH: f64 = 1.2;

pub fn trial(minutes: usize) -> anyhow::Result<Outcome> {
    let limit = format!("--timeout={minutes}m");
    // More than an hour's work.
    let arguments = ["--naive", "--depth=14", "--same", "--workers=2", "--allow-partial", &limit];
    let search = Search::of_counter("", &arguments)?;
    let mut running = search.start(&[])?;
    let mut measured = Vec::new();
    for minute in 1..=minutes {
        if running.until(MINUTE * u32::try_from(minute)?)?.is_some() {
            break;
        }
        let family = family::family(running.child.id());
        let all: u64 = family.iter().map(|process| family::resident(process.number)).sum();
        let tool = family::resident(running.child.id());
        eprintln!("torture:   minute {minute}: tool {} MB, all {} MB", tool >> 20, all >> 20);
        measured.push((tool, all));
    }
    let hung = usize::from(running.end()?.is_none());
    let left_behind = family::remaining(&running.seen);
    let quarter = measured.len().div_ceil(4).max(1);
    let mean = |from: usize| {
        let part: Vec<f64> = measured.iter().skip(from).take(quarter).map(|(tool, _)| *tool as f64).collect();
        part.iter().sum::<f64>() / part.len().max(1) as f64
    };
    let (early, late) = (mean(quarter), mean(measured.len().saturating_sub(quarter)));
    let grows = late > early * MOST_GROWTH;
    let report = search.report().unwrap_or_default();
    let interactions = report.counts.interactions;
    let found = |finding: &Finding| {
        let Finding { check, difference, reproduced, attempts, .. } = finding;
        format!("; found {check} “{}”, came back {reproduced} of {attempts}", difference.summary)
    };
    let found: String = report.findings.iter().map(found).collect();
    let megabytes = |bytes: f64| bytes / f64::from(1 << 20);
    let all: Vec<u64> = measured.iter().map(|(_, all)| all >> 20).collect();
    let note = format!(
        "{} interactions; the tool has {:.0} MB in the second quarter and {:.0} MB in the last{}; with browsers and application {} to {} MB{found}",
        interactions.judged,
        megabytes(early),
        megabytes(late),
        if grows { " and GROWS" } else { "" },
        all.iter().min().copied().unwrap_or_default(),
        all.iter().max().copied().unwrap_or_default(),
    );
    let wrong = report.findings.len() + usize::from(grows);
    Ok(Outcome {
        amount: minutes,
        lost: interactions.unknown,
        doubled: search.doubled(),
        wrong,
        hung,
        left_behind,
        note,
    })
}
