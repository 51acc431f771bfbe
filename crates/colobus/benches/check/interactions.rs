//! One interaction of two clients: how long it takes, with observed settling and with fixed waits, and on what.

use colobus_demo::DemoServer;
use colobus_driver::{BrowserFactory, BrowserOptions};
use colobus_model::Trace;
use colobus_run::{Checks, Judgement, StopSignal, load, replay};
use colobus_schedule::orders::together;

use crate::extent::Extent;
use crate::fixed_waits::FixedWaits;
use crate::stopwatch::{Part, Stopwatch, Times};
use crate::table::{Table, median, milliseconds, seconds, times};
use crate::tool::search;

/// Interactions of two clients: formatting, deleting, writing at one place.
const ACTIONS: [&str; 4] = [
    "--action=type a",
    "--action=write at the line start",
    "--action=bold on the line before",
    "--action=delete the line before",
];

pub fn measure(extent: &Extent, traces: &[Trace], table: &mut Table) -> anyhow::Result<()> {
    table.section("one interaction of two clients");
    let observed = Stopwatch::new(&browsers(&traces[0], None)?).run(traces, 1 + extent.rounds)?;
    let few = &traces[..extent.fixed_waits.min(traces.len())];
    let waiting = FixedWaits(browsers(&traces[0], Some(0))?);
    let fixed = Stopwatch::new(&waiting).run(few, 2)?;

    let (observed_s, fixed_s) = (tabulate(&observed, table), median(fixed.iter().map(total).collect()));
    table.row(format!("fixed waits of 0.5 s and 7 s, median of {}", fixed.len()), seconds(fixed_s));
    table.row_with_aim("observed settling is faster by", times(fixed_s / observed_s), "100 ×");
    Ok(())
}

/// The median interaction and what it spends its time on. Returns the former.
pub fn tabulate(observed: &[Times], table: &mut Table) -> f64 {
    let whole = median(observed.iter().map(total).collect());
    table.row_with_aim(
        format!("settled by observation, median of {}", observed.len()),
        milliseconds(whole),
        "< 300 ms",
    );
    for part in Part::ALL {
        let seconds = median(observed.iter().map(|times| times.get(&part).copied().unwrap_or(0.0)).collect());
        table.row(format!("– {}", part.name()), milliseconds(seconds));
    }
    whole
}

fn total(times: &Times) -> f64 {
    times.values().sum()
}

impl Stopwatch<'_> {
    /// Runs each interaction so many times; the first time does not count.
    fn run(&self, traces: &[Trace], rounds: usize) -> anyhow::Result<Vec<Times>> {
        let mut all = Vec::new();
        for trace in traces {
            let replayed = replay(trace, Checks::default(), self, rounds, &StopSignal::default())?;
            anyhow::ensure!(
                replayed.again.iter().all(|again| again.judgement == Judgement::Pass),
                "`{}` does not pass on the editor without bugs: {:?}",
                trace.interaction,
                replayed.again
            );
            all.extend(self.take());
        }
        Ok(all)
    }
}

/// What goes wrong in the editor with its bugs, to be run on the editor without: nothing is looked at twice there.
pub fn traces(server: &DemoServer) -> anyhow::Result<Vec<Trace>> {
    let arguments: Vec<&str> = ["--depth=2", "--repeat=1"].into_iter().chain(ACTIONS).collect();
    let searched = search(&arguments)?;
    let mut traces = Vec::new();
    for folder in searched.findings() {
        let mut trace = load(&folder)?;
        trace.application.url = format!("{}?doc={{doc}}", server.url());
        trace.application.launch = None;
        trace.schedule = together(&trace.interaction);
        traces.push(trace);
    }
    anyhow::ensure!(!traces.is_empty(), "the seeded bugs were not found: there is nothing to time");
    Ok(traces)
}

pub fn browsers(trace: &Trace, fixed_ms: Option<u64>) -> anyhow::Result<BrowserFactory> {
    let mut application = trace.application.clone();
    application.settle.fixed_ms = fixed_ms;
    let run_token = format!("bench-{}-{}", std::process::id(), fixed_ms.is_some());
    let options = BrowserOptions { run_token, ..BrowserOptions::default() };
    Ok(BrowserFactory::new(application, options)?)
}
