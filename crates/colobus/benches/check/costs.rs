//! What an interaction of the editor costs, by kind of process and number of workers, and what the script of a user costs that does
//! about the same: milliseconds of the processor, as the kernel counts them, and of the clock.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use colobus_browser::find_browser;
use colobus_demo::{DemoOptions, DemoServer};

use crate::processes::{Kind, ProcessorTime};
use crate::table::{Table, milliseconds};
use crate::tool::Search;

const WORKERS: [&str; 3] = ["--workers=1", "--workers=2", "--workers=3"];
/// One prefix action and one key of each user, as in the script.
const SEARCH: [&str; 6] = ["--correct", "--naive", "--depth=2", "--action=type a", "--action=type b", "--action=Enter"];
const TIMES: usize = 20;
/// Processes are gone with what they used: they are asked while they run.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/check/plain.mjs");

pub fn measure(table: &mut Table) -> anyhow::Result<()> {
    for workers in WORKERS {
        let mut search = Search::start(&[&SEARCH[..], &[workers]].concat())?;
        let used = watch(&mut search.child)?;
        let report = search.finish()?.report;
        let executions = report.counts.executions;
        ensure!(executions > 0, "the search ran nothing");
        table.section(&format!("an execution of the editor, {} ({executions} executions)", &workers[2..]));
        let each = report.timing.phase2_s / executions as f64;
        table.row("of the clock, all workers together", milliseconds(each));
        tabulate(&used, executions, table);
    }
    plain(table)
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

fn plain(table: &mut Table) -> anyhow::Result<()> {
    let server = DemoServer::start(DemoOptions::default())?;
    let browser = find_browser(None, false)?;
    let begun = Instant::now();
    let mut child = Command::new("node")
        .arg(SCRIPT)
        .arg(browser)
        .args([format!("{}?doc={{doc}}", server.url()), TIMES.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    let used = watch(&mut child)?;
    let took = begun.elapsed().as_secs_f64();
    let output = child.wait_with_output()?;
    let lines = String::from_utf8_lossy(&output.stdout).lines().count();
    ensure!(
        output.status.success() && lines == TIMES,
        "the plain script ended with {} after {lines} times",
        output.status
    );
    table.section(&format!(
        "the script of a user, puppeteer-core ({TIMES} interactions, one order each; the editor runs in the bench)"
    ));
    table.row("of the clock, starting included", milliseconds(took / TIMES as f64));
    tabulate(&used, TIMES, table);
    Ok(())
}
