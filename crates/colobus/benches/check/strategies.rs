//! Orders of messages on the editor with its bugs: what each way to choose them finds in as many executions, and what the
//! gate costs that holds every message until it is chosen.

use colobus_trace::Report;

use crate::extent::Extent;
use crate::table::{Table, times};
use crate::tool::search;

/// Bugs that only an order of messages shows, and the actions that lead to them.
const SEARCH: [&str; 6] = [
    "--naive",
    "--depth=2",
    "--repeat=1",
    "--action=type a",
    "--action=write at the line start",
    "--action=bold on the line before",
];
const BUGS: [&str; 2] = ["--bug=ack-overtaken", "--bug=between-steps"];

/// Every search begins with the few orders that stand for "at the same time"; these are what follows.
const STRATEGIES: [(&str, &str); 3] = [
    ("the natural order again and again", "--strategy=natural"),
    ("random orders", "--strategy=random"),
    ("conflict reversals (bounded DPOR)", "--strategy=telling"),
];

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    let limit = format!("--schedules={}", extent.orders);
    table.section(&format!("up to {} further orders of each interaction, two bugs that need an order", extent.orders));
    for (name, strategy) in STRATEGIES {
        let arguments: Vec<&str> = SEARCH.into_iter().chain(BUGS).chain([limit.as_str(), strategy]).collect();
        let counts = search(&arguments)?.report.counts;
        let found = format!("{} of {} interactions", counts.failures, counts.interactions);
        table.row(format!("{name}: failing within {} executions", counts.executions), found);
    }
    table.section("what the gate costs, no bugs");
    let few: Vec<&str> = SEARCH.into_iter().chain(["--correct"]).collect();
    let at_once = search(&few)?.report;
    let many: Vec<&str> = few.into_iter().chain([limit.as_str()]).collect();
    let one_by_one = search(&many)?.report;
    let (fast, slow) = (per_minute(&at_once), per_minute(&one_by_one));
    table.row("executions per minute, messages held while users act", format!("{fast:.0}"));
    table.row("executions per minute, each message let through by itself", format!("{slow:.0}"));
    table.row_with_aim("slower by", times(fast / slow), "≤ 1.3 ×");
    Ok(())
}

fn per_minute(report: &Report) -> f64 {
    report.counts.executions as f64 * 60.0 / report.timing.phase2_s
}
