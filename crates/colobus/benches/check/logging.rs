//! What the log costs while it is off: the number of lines that an execution would write, times the cost of a line that is not written.

use std::hint::black_box;
use std::time::Instant;

use anyhow::ensure;
use tracing::debug;

use crate::table::{Table, milliseconds};
use crate::tool::search;

const SEARCH: [&str; 6] = ["--correct", "--naive", "--depth=2", "--workers=1", "--action=type a", "--action=type b"];
const UNREAD_LINES: u32 = 10_000_000;

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    let logged = search(&[&SEARCH[..], &["--log=trace"]].concat())?;
    let executions = logged.report.counts.executions;
    ensure!(executions > 0, "the search ran nothing");
    let lines = logged.log()?.lines().count() as f64 / executions as f64;
    let quiet = search(&SEARCH)?.report;
    let execution = quiet.timing.phase2_s / quiet.counts.executions as f64;

    let begun = Instant::now();
    for number in 0..UNREAD_LINES {
        debug!(number = black_box(number), "a line that is not written");
    }
    let unread = begun.elapsed().as_secs_f64() / f64::from(UNREAD_LINES);

    table.section(&format!("the log, off ({executions} executions of the editor)"));
    table.row("an execution", milliseconds(execution));
    table.row("lines that it would write, preparation included", format!("{lines:.0}"));
    table.row("a line that is not written", format!("{:.1} ns", unread * 1e9));
    table.row_with_aim("share of an execution", format!("{:.5} %", 100.0 * lines * unread / execution), "< 1 %");
    Ok(())
}
