//! What an execution costs, by application, kind of process and number of workers, and what the script of a user costs that does
//! about the same: milliseconds of the processor, as the kernel counts them, and of the clock.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, ensure};
use colobus_browser::find_browser;
use colobus_demo::{DemoOptions, DemoServer};
use colobus_run::{Checks, StopSignal, replay};

use crate::applications::{ALL, Measured};
use crate::interactions::{browsers, traces};
use crate::processes::{Kind, ProcessorTime};
use crate::table::{Table, median, milliseconds};

const TIMES: usize = 24;
/// How often each interaction is run to count.
const COUNTED: usize = 6;
/// Processes are gone with what they used: they are asked while they run.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/check/plain.mjs");

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    counts(table)?;
    for application in &ALL {
        let script = plain(application, table)?;
        for workers in application.workers {
            let each = search(application, workers, table)?;
            if let Some(aim) = application.against_script.filter(|_| *workers == "1") {
                table.aim(aim, each / script);
            }
        }
    }
    Ok(())
}

/// What an execution of the editor takes, as numbers that do not depend on the machine.
fn counts(table: &mut Table) -> anyhow::Result<()> {
    let server = DemoServer::start(DemoOptions::default())?;
    let traces = traces(&server)?;
    let browsers = browsers(&traces[0], None)?;
    let run = |times: usize| {
        traces.iter().try_for_each(|trace| {
            replay(trace, Checks::default(), &browsers, times, &StopSignal::default()).map(|_| ())
        })
    };
    // In the first executions it is learned what follows what.
    run(2)?;
    let before = browsers.costs();
    run(COUNTED)?;
    let (costs, executions) = (browsers.costs().since(before), COUNTED * traces.len());
    table.section(&format!("an execution of the built-in editor, counts ({executions} executions)"));
    let each = |count: u64| format!("{:.2}", count as f64 / executions as f64);
    table.row("settlings", each(costs.settlings));
    table.row("passes of them, in which pages and proxies are compared", each(costs.passes));
    table.row("looks that were the last frame of settling", each(costs.frames_of_looks));
    Ok(())
}

/// Returns the processor time of an execution, starting browsers included, without the application: the script has none of its own.
fn search(application: &Measured, workers: &str, table: &mut Table) -> anyhow::Result<f64> {
    let mut search = application.search(workers)?;
    let used = watch(&mut search.child)?;
    let report = search.finish()?.report;
    let (executions, name) = (report.counts.executions, application.name);
    ensure!(executions > 0 && report.counts.findings == 0, "{name}: {executions} executions, {:?}", report.findings);
    table.section(&format!("an execution of {name}, {workers} workers ({executions} executions)"));
    table.row("of the clock, median", milliseconds(report.timing.interaction_ms_median / 1000.0));
    table.row("executions a minute", format!("{:.0}", 60.0 * executions as f64 / report.timing.phase2_s));
    tabulate(&used, executions, table);
    Ok((used.total() - used.of(Kind::Application)) / executions as f64)
}

/// The processor time of a process and all below it, until it ends.
fn watch(child: &mut Child) -> anyhow::Result<ProcessorTime> {
    let mut used = ProcessorTime::default();
    while child.try_wait()?.is_none() {
        used.look(child.id());
        sleep(BETWEEN_LOOKS);
    }
    Ok(used)
}

fn tabulate(used: &ProcessorTime, executions: usize, table: &mut Table) {
    let each = |seconds: f64| milliseconds(seconds / executions as f64);
    table.row("of the processor, starting included", each(used.total()));
    for kind in Kind::ALL.into_iter().filter(|kind| used.of(*kind) > 0.0) {
        table.row(format!("– {}", kind.name()), each(used.of(kind)));
    }
}

fn plain(application: &Measured, table: &mut Table) -> anyhow::Result<f64> {
    let served = application.serve()?;
    let browser = find_browser(None, false)?;
    let script = &application.script;
    let mut child = Command::new("node")
        .arg(SCRIPT)
        .arg(browser)
        .args([&served.url, &TIMES.to_string(), script.focus, script.text, script.ready])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    let used = watch(&mut child)?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let took: Vec<f64> = text.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    ensure!(
        output.status.success() && took.len() == TIMES,
        "the plain script ended with {} after {} times",
        output.status,
        took.len()
    );
    table.section(&format!(
        "the script of a user on {}, puppeteer-core ({TIMES} interactions, one order each; without the application)",
        application.name
    ));
    table.row("of the clock, median", milliseconds(median(took) / 1000.0));
    tabulate(&used, TIMES, table);
    Ok(used.total() / TIMES as f64)
}
