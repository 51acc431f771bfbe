//! How an execution grows in the browser: with the length of the document, and with the number of clients.

use colobus_demo::{DemoOptions, DemoServer};
use colobus_model::{Action, Step, Trace};
use colobus_run::{Checks, Judgement, StopSignal, replay};
use colobus_schedule::orders::together;

use crate::extent::Extent;
use crate::interactions::{browsers, traces};
use crate::stopwatch::{Part, Stopwatch, Times};
use crate::table::{Table, median, milliseconds};

const LINES: [usize; 3] = [1, 100, 1000];
const CLIENTS: std::ops::RangeInclusive<usize> = 2..=8;

pub fn measure(extent: &Extent, table: &mut Table) -> anyhow::Result<()> {
    let server = DemoServer::start(DemoOptions::default())?;
    let all = traces(&server)?;
    let Some(any) = all.first() else { anyhow::bail!("there is no trace to begin with") };
    table.section(
        "an execution of `(type a || type b)` in a document of so many lines, without pasting them; one worker",
    );
    for lines in LINES {
        let text = "a line of the document\n".repeat(lines);
        let prefix = vec![action("paste", Step::Paste(text))];
        let took = time(&with(any, prefix, &["a", "b"]), extent)?;
        table.row(lines.to_string(), milliseconds(median(took.iter().map(after_prefix).collect())));
    }
    table.section("an execution of `(type a || type a || …)` with so many clients, one worker");
    for clients in CLIENTS {
        let took = time(&with(any, vec![], &vec!["a"; clients]), extent)?;
        table.row(clients.to_string(), milliseconds(median(took.iter().map(|times| times.values().sum()).collect())));
    }
    Ok(())
}

fn after_prefix(times: &Times) -> f64 {
    times.iter().filter(|(part, _)| **part != Part::Prefix).map(|(_, seconds)| seconds).sum()
}

fn action(name: &str, step: Step) -> Action {
    Action::new(name, vec![step])
}

/// The same application, other actions.
fn with(trace: &Trace, prefix: Vec<Action>, typed: &[&str]) -> Trace {
    let mut trace = trace.clone();
    trace.interaction.prefix = prefix;
    trace.interaction.concurrent =
        typed.iter().map(|text| action(&format!("type {text}"), Step::Type((*text).to_string()))).collect();
    trace.schedule = together(&trace.interaction);
    trace
}

fn time(trace: &Trace, extent: &Extent) -> anyhow::Result<Vec<Times>> {
    let browsers = browsers(trace, None)?;
    let stopwatch = Stopwatch::new(&browsers);
    let replayed = replay(trace, Checks::default(), &stopwatch, 1 + extent.rounds, &StopSignal::default())?;
    for again in replayed.again {
        anyhow::ensure!(again.judgement == Judgement::Pass, "`{}` does not pass: {again:?}", trace.interaction);
    }
    Ok(stopwatch.take())
}
