//! One interaction of two clients: how long it takes, with fresh documents and in place, with observed settling and with fixed waits,
//! and on what.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use colobus_demo::DemoServer;
use colobus_driver::{BrowserFactory, BrowserOptions};
use colobus_model::{Action, Interaction, Reset, SelectTarget, Step, Target, Trace};
use colobus_run::{Checks, Judgement, StopSignal, load, replay};
use colobus_schedule::orders::together;
use colobus_world::WorldFactory as _;

use crate::aims::Aim;
use crate::extent::Extent;
use crate::fixed_waits::FixedWaits;
use crate::stopwatch::{Part, Stopwatch, Times};
use crate::table::{Table, median, milliseconds, seconds};
use crate::tool::search;

/// Any search of the editor that finds something: its trace says how the editor is used.
const SEARCH: [&str; 5] = ["--bug=all", "--depth=1", "--repeat=1", "--action=type a", "--action=type b"];

pub fn measure(extent: &Extent, traces: &[Trace], table: &mut Table) -> anyhow::Result<()> {
    table.section("one interaction of two clients, fresh documents");
    let observed = Stopwatch::new(&browsers(&traces[0], None)?).run(traces, 1 + extent.rounds)?;
    let fresh = tabulate(&observed, Aim::Editor, table);
    table.section("one interaction of two clients, in place");
    let emptied = in_place(traces);
    // More often than the others: a document lives for one, two, four, … executions, and then a fresh one is opened.
    let in_place = browsers(&emptied[0], None)?;
    let observed = Stopwatch::new(&in_place).run(&emptied, 1 + 2 * extent.rounds)?;
    let refused: Vec<String> = in_place.notes().into_iter().filter(|note| note.contains("reset")).collect();
    anyhow::ensure!(refused.is_empty(), "documents were not emptied: {}", refused.join("; "));
    let kept = tabulate(&observed, Aim::EditorInPlace, table);

    table.section("one interaction of two clients, fixed waits of 0.5 s and 7 s");
    let few = &traces[..extent.fixed_waits.min(traces.len())];
    let waiting = FixedWaits(browsers(&traces[0], Some(0))?);
    let fixed = Stopwatch::new(&waiting).run(few, 2)?;
    let waited = median(fixed.iter().map(total).collect());
    table.row(format!("median of {}", fixed.len()), seconds(waited));
    table.aim(Aim::FixedWaits, waited / fresh);
    table.aim(Aim::FixedWaitsInPlace, waited / kept);
    Ok(())
}

/// The same interactions in documents that are emptied instead of opened.
fn in_place(traces: &[Trace]) -> Vec<Trace> {
    let emptied = |trace: &Trace| {
        let mut trace = trace.clone();
        trace.application.reset = Reset::Evaluate("colobusDemo.reset()".to_string());
        trace
    };
    traces.iter().map(emptied).collect()
}

/// The median interaction and what it spends its time on. Returns the former.
pub fn tabulate(observed: &[Times], aim: Aim, table: &mut Table) -> f64 {
    let whole = median(observed.iter().map(total).collect());
    table.row(format!("settled by observation, median of {}", observed.len()), milliseconds(whole));
    table.aim(aim, whole);
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

/// Interactions of two clients on the editor without bugs, each after one action: writing, formatting, deleting at one place.
pub fn traces(server: &DemoServer) -> anyhow::Result<Vec<Trace>> {
    let searched = search(&SEARCH)?;
    let folder = searched.findings().into_iter().next();
    let mut any = load(&folder.context("the seeded bugs were not found: there is nothing to time")?)?;
    any.application.url = format!("{}?doc={{doc}}", server.url());
    any.application.launch = None;
    let press = |keys: &str| keys.parse().map(Step::Press);
    let write = Action::new("type a", vec![Step::Type("a".to_string())]);
    let at_start =
        Action::new("write at the line start", vec![press("Home")?, Step::Type("on ".to_string()), press("End")?]);
    let line = Step::Select(SelectTarget::LineBefore);
    let bold = Step::Click(Target::Selector("[data-command=bold]".to_string()));
    let bold = Action::new("bold on the line before", vec![line.clone(), bold, press("ArrowRight")?]);
    let delete = Action::new("delete the line before", vec![line, press("Backspace")?]);
    let pairs = [[&write, &delete], [&write, &bold], [&write, &at_start], [&at_start, &delete]];
    let trace = |pair: [&Action; 2]| {
        let mut trace = any.clone();
        trace.interaction =
            Interaction { prefix: vec![write.clone()], concurrent: pair.map(Action::clone).to_vec(), rounds: 1 };
        trace.schedule = together(&trace.interaction);
        trace
    };
    Ok(pairs.map(trace).to_vec())
}

pub fn browsers(trace: &Trace, fixed_ms: Option<u64>) -> anyhow::Result<BrowserFactory> {
    let mut application = trace.application.clone();
    application.settle.fixed_ms = fixed_ms;
    // No two of them may use documents of the same name: they share a server.
    static FACTORIES: AtomicUsize = AtomicUsize::new(0);
    let run_token = format!("bench-{}-{}", std::process::id(), FACTORIES.fetch_add(1, Ordering::Relaxed));
    let options = BrowserOptions { run_token, ..BrowserOptions::default() };
    Ok(BrowserFactory::new(application, options)?)
}
