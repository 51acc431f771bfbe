//! Orders of messages on the editor: what each way to choose them finds in as many executions, and how many there are.

use anyhow::ensure;

use crate::extent::Extent;
use crate::table::{Table, seconds};
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

/// One edit each, without bugs, and how many orders of it stand for "at the same time" and come before all others.
const SMALL: [&str; 4] = ["--correct", "--depth=1", "--action=type a", "--action=type b"];
const AT_THE_SAME_TIME: usize = 2;

/// Every search begins with the few orders that stand for "at the same time", these are what follows; only the natural one
/// has none before it and gets as many more, so that all have about as many executions.
const STRATEGIES: [(&str, &str, usize); 3] = [
    ("the natural order again and again", "--strategy=natural", 2),
    ("random orders", "--strategy=random", 0),
    ("conflict reversals (bounded DPOR)", "--strategy=nearest", 0),
];

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    table.section(&format!("up to {} further orders of each interaction, two bugs that need an order", extent.orders));
    for (name, strategy, more) in STRATEGIES {
        let limit = format!("--schedules={}", extent.orders + more);
        let arguments: Vec<&str> = SEARCH.into_iter().chain(BUGS).chain([limit.as_str(), strategy]).collect();
        let counts = search(&arguments)?.report.counts;
        let found = format!("{} of {} interactions", counts.failures, counts.interactions.ran());
        table.row(format!("{name}: failing within {} executions", counts.executions), found);
    }
    table.section("all orders of one small interaction, no bugs: orders visited");
    for (name, strategy) in [("exhaustive", "--strategy=exhaustive"), ("DPOR", "--strategy=dpor")] {
        let arguments = [&SMALL[..], &[strategy]].concat();
        let report = search(&arguments)?.report;
        ensure!(report.counts.findings == 0, "the editor without bugs has findings");
        let orders = report.counts.executions - AT_THE_SAME_TIME;
        table.row(name, format!("{orders} in {}", seconds(report.timing.phase2_s)));
    }
    Ok(())
}
