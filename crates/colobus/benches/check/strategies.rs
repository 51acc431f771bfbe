//! Orders of messages on the editor with its bugs: what each way to choose them finds in as many executions, and what the
//! gate costs that holds every message until it is chosen.

use colobus_trace::Report;

use crate::extent::Extent;
use crate::table::{Table, times};
use crate::tool::search;

/// Interactions in which the order of messages matters, from one state: the empty document.
const SEARCH: [&str; 6] = [
    "--naive",
    "--depth=1",
    "--repeat=1",
    "--action=type a",
    "--action=write at the line start",
    "--action=bold on the line before",
];

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    table.section("orders of messages, the editor with its bugs");
    let limit = format!("--schedules={}", extent.orders);
    for (name, strategy) in
        [("natural order", "natural"), ("random orders", "random"), ("conflict reversals (bounded DPOR)", "telling")]
    {
        let strategy = format!("--strategy={strategy}");
        let arguments: Vec<&str> = SEARCH.into_iter().chain([limit.as_str(), &strategy]).collect();
        let counts = search(&arguments)?.report.counts;
        let what = format!("{name}: findings in {} executions of {} interactions", counts.executions, counts.interactions);
        table.row(what, format!("{} ({} root causes)", counts.findings, counts.root_causes));
    }
    let correct: Vec<&str> = SEARCH.into_iter().chain(["--correct"]).collect();
    let free = search(&correct)?.report;
    let gated: Vec<&str> = correct.iter().copied().chain([limit.as_str()]).collect();
    let gated = search(&gated)?.report;
    table.row("executions per minute, messages flow", format!("{:.0}", per_minute(&free)));
    table.row("executions per minute, every message is held and chosen", format!("{:.0}", per_minute(&gated)));
    table.row_with_aim("the gate makes executions slower by", times(per_minute(&free) / per_minute(&gated)), "≤ 1.3 ×");
    Ok(())
}

fn per_minute(report: &Report) -> f64 {
    report.counts.executions as f64 * 60.0 / report.timing.phase2_s
}
