//! How many executions a minute a search makes as users start it, with fresh documents and in place, and how many all orders of all
//! pairs would be.

use anyhow::ensure;
use colobus_model::Report;

use crate::aims::Aim;
use crate::applications::editor_in_place;
use crate::extent::Extent;
use crate::table::{Table, seconds, times};
use crate::tool::Search;

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    // Depth 2, whatever the rest of the bench takes: the aims are about it.
    let depth = ["--depth=2"];
    table.section("a search of the editor without bugs, ten actions, depth 2, workers as by default");
    let fresh = clean(Search::by_default(&["demo", "--port=0", "--no-open", "--correct"], &depth)?)?;
    tabulate(&fresh, Aim::EditorRate, table);
    let per_interaction = fresh.counts.executions as f64 / fresh.counts.interactions.ran() as f64;
    let all = fresh.counts.naive as f64 * per_interaction;
    table.row(
        format!("all orders of all {} pairs in all states, {per_interaction:.1} orders each", fresh.counts.naive),
        format!("{all:.0} executions"),
    );
    table.aim(Aim::FewerExecutions, all / fresh.counts.executions as f64);

    table.section("the same search, in place");
    let folder = editor_in_place()?;
    let folder = folder.path().display().to_string();
    let kept = clean(Search::by_default(&["check", "-c", &folder], &depth)?)?;
    tabulate(&kept, Aim::EditorRateInPlace, table);
    workers(extent, table)
}

/// Searches that find nothing.
fn clean(search: Search) -> anyhow::Result<Report> {
    let report = search.finish()?.report;
    ensure!(report.counts.findings == 0, "the editor without bugs has findings: {:?}", report.findings);
    Ok(report)
}

fn tabulate(report: &Report, aim: Aim, table: &mut Table) {
    let (counts, timing) = (&report.counts, &report.timing);
    table.row(format!("phase 1, {} sequences", counts.sequences.judged), seconds(timing.phase1_s));
    let phase2 = format!("{} interactions in {} orders", counts.interactions.ran(), counts.executions);
    table.row(format!("phase 2, {phase2}"), seconds(timing.phase2_s));
    let rate = 60.0 * counts.executions as f64 / timing.phase2_s;
    table.aim(aim, rate);
}

fn workers(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    table.section("the same search with a number of workers: executions a minute, of one part in some");
    let part = format!("--shard=1/{}", extent.worker_parts);
    let mut alone = None;
    for number in 1..=4 {
        let workers = format!("--workers={number}");
        let report = clean(Search::start(&["--correct", "--depth=2", &part, &workers])?)?;
        let rate = 60.0 * report.counts.executions as f64 / report.timing.phase2_s;
        let faster = times(rate / *alone.get_or_insert(rate));
        table.row(format!("{number}"), format!("{rate:.0} ({faster} one worker)"));
    }
    Ok(())
}
