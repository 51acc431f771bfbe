//! One interaction of two clients on a page that is not ours: Firepad, as in `subjects/`.

use colobus_driver::subject::Subject;
use colobus_run::{Checks, Judgement, StopSignal, load, replay};
use colobus_schedule::orders::together;

use crate::aims::Aim;
use crate::applications::installed;
use crate::extent::Extent;
use crate::interactions::{browsers, tabulate};
use crate::stopwatch::Stopwatch;
use crate::table::Table;
use crate::tool::Search;

/// Short, and with findings: their interactions are what is timed, in an order that works.
const SEARCH: [&str; 4] = ["--action=type a", "--action=size 18 on the line before", "--depth=2", "--repeat=1"];

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    table.section("one interaction of two clients in Firepad");
    let searched = Search::of_subject(&installed("firepad")?, &SEARCH)?.finish()?;
    let folders = searched.findings();
    anyhow::ensure!(!folders.is_empty(), "nothing was found in Firepad: there is nothing to time");
    let mut times = Vec::new();
    for folder in folders {
        let mut trace = load(&folder)?;
        // As most interactions are: nothing goes wrong, and nothing is looked at twice.
        trace.schedule = together(&trace.interaction);
        trace.application = Subject::place(&trace.application)?;
        let _running = Subject::start(&trace.application)?;
        let browsers = browsers(&trace, None)?;
        let stopwatch = Stopwatch::new(&browsers);
        let replayed = replay(&trace, Checks::default(), &stopwatch, 1 + extent.rounds, &StopSignal::default())?;
        for again in replayed.again {
            anyhow::ensure!(again.judgement == Judgement::Pass, "`{}` does not pass: {again:?}", trace.interaction);
        }
        times.extend(stopwatch.take());
    }
    tabulate(&times, Aim::Firepad, table);
    Ok(())
}
