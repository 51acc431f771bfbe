//! [`trial`]: a correct application, searched beside four loops that keep the machine busy.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::busy_loops::BusyLoops;
use crate::family;
use crate::outcome::Outcome;
use crate::search::Search;

const APPLICATIONS: &[&str] =
    &["booking", "chat", "counter", "line", "settings", "todo-events", "todo-long-polling", "todo-polling"];

/// Whether two users may do the same is the application's to say: of two who set the same title, the last one wins in any application.
const ARGUMENTS: &[&str] = &["--naive", "--depth=4", "--workers=2"];

pub fn trial(number: usize) -> anyhow::Result<Outcome> {
    let _busy = BusyLoops::start()?;
    let application = APPLICATIONS[number % APPLICATIONS.len()];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small").join(application);
    let mut configuration: toml::Table = fs::read_to_string(folder.join("colobus.toml"))?.parse()?;
    let app = configuration.get_mut("app").and_then(|app| app.as_table_mut()).context("there is no [app]")?;
    app.insert("directory".into(), folder.canonicalize()?.to_string_lossy().into_owned().into());
    let search = Search::new(&configuration.to_string(), ARGUMENTS)?;
    let mut running = search.start(&[])?;
    let status = running.end()?;
    let mut outcome = Outcome { note: application.to_string(), ..Outcome::default() };
    outcome.hung = usize::from(status.is_none());
    outcome.left_behind = family::remaining(&running.seen);
    outcome.doubled = search.doubled();
    let report = search.report().with_context(|| format!("there is no report: {}", search.said()))?;
    outcome.amount = report.counts.interactions.ran();
    outcome.lost = report.counts.interactions.unknown + report.counts.interactions.not_run;
    outcome.wrong = report.findings.len();
    if !outcome.is_right() {
        eprintln!("{}", search.said());
    }
    Ok(outcome)
}
