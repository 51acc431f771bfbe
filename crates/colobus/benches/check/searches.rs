//! Whole searches of the editor without bugs: two phases against all combinations, how busy the browsers are, memory.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::ensure;
use colobus_model::Report;

use crate::extent::Extent;
use crate::processes::Family;
use crate::table::{Table, milliseconds, seconds, times};
use crate::tool::Search;

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
const BETWEEN_WEIGHINGS: Duration = Duration::from_secs(1);

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    table.section("a search of the editor, ten actions, two workers");
    let depth = format!("--depth={}", extent.depth);
    let (two_phases, memory) = weighed(&["--correct", &depth])?;
    let (counts, timing) = (&two_phases.counts, &two_phases.timing);
    let aim = if extent.depth == 3 { "< 4 min" } else { "" };
    table.row_with_aim(format!("phase 1, {} sequences", counts.sequences.judged), seconds(timing.phase1_s), aim);
    let phase2 = format!("{} in {} orders", counts.interactions.ran(), counts.executions);
    table.row(format!("phase 2, {phase2}"), seconds(timing.phase2_s));
    table.row("median of one order, two workers side by side", milliseconds(timing.interaction_ms_median / 1000.0));
    let both = timing.phase1_s + timing.phase2_s;
    table.row("both phases", seconds(both));

    let part = format!("--shard=1/{}", extent.naive_parts);
    let mut arguments = vec!["--correct", "--naive", &depth];
    if extent.naive_parts > 1 {
        arguments.push(&part);
    }
    let (naive, idle) = looked_at(&arguments)?;
    let whole = naive.timing.phase2_s * naive.counts.naive as f64 / naive.counts.interactions.ran() as f64;
    let how = if extent.naive_parts > 1 { format!(", from part 1 of {}", extent.naive_parts) } else { String::new() };
    table.row(format!("--naive, {} interactions{how}", naive.counts.naive), seconds(whole));
    table.row("two phases run fewer interactions by", times(counts.naive as f64 / counts.interactions.ran() as f64));
    table.row("two phases are faster by", times(whole / both));
    table.row("share of the time in which no browser was busy", format!("{:.0} %", idle * 100.0));
    table.row("peak memory of the tool and the editor it serves", megabytes(memory.0));
    table.row("peak memory of the browsers", megabytes(memory.1));
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes / 1_000_000)
}

fn clean(report: Report) -> anyhow::Result<Report> {
    ensure!(report.counts.findings == 0, "the editor without bugs has {} findings", report.counts.findings);
    Ok(report)
}

/// A search and the most memory that tool and browsers had, each at its own time.
fn weighed(arguments: &[&str]) -> anyhow::Result<(Report, (u64, u64))> {
    let mut search = Search::start(arguments)?;
    let mut most = (0, 0);
    while search.child.try_wait()?.is_none() {
        let (tool, browsers) = Family::of(search.child.id()).memory();
        most = (tool.max(most.0), browsers.max(most.1));
        sleep(BETWEEN_WEIGHINGS);
    }
    Ok((clean(search.finish()?.report)?, most))
}

/// A search without phase 1 and the share of its phase 2 in which no browser was busy.
fn looked_at(arguments: &[&str]) -> anyhow::Result<(Report, f64)> {
    let mut search = Search::start(arguments)?;
    let (mut looks, mut idle) = (0, 0);
    let mut family = Family::of(search.child.id());
    let mut refreshed = Instant::now();
    let searches = |said: &str| {
        let is_over = |line: &str| line.starts_with("phase 2: ") && line.contains(" interactions in ");
        said.contains("\nready after") && !said.lines().any(is_over)
    };
    let mut searching = false;
    while search.child.try_wait()?.is_none() {
        if refreshed.elapsed() > BETWEEN_WEIGHINGS || !family.has_browsers() {
            family = Family::of(search.child.id());
            refreshed = Instant::now();
            searching = searches(&search.said());
        }
        if searching {
            looks += 1;
            idle += usize::from(!family.has_busy_browser());
        }
        sleep(BETWEEN_LOOKS);
    }
    ensure!(looks > 0, "the search was over before anybody looked at it");
    Ok((clean(search.finish()?.report)?, f64::from(idle as u32) / f64::from(looks)))
}
