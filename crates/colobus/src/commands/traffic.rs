//! The traffic of causes. When a search is over the first finding of each is run once more with its messages recorded, and a
//! HAR file of an execution that failed is written into its folder. The search itself has no tap, and a file never shows an execution that
//! passed.

use std::fs;
use std::path::Path;

use anyhow::Context;
use colobus_driver::BrowserFactory;
use colobus_model::Report;
use colobus_run::{Checks, StopSignal};

const FILE: &str = "traffic.har";
/// How often a finding that does not come back every time is tried.
const ATTEMPTS: usize = 3;

/// Records the traffic of the first finding of every cause, and names the files in the report. What could not be recorded becomes a note.
pub fn record(report: &mut Report, folder: &Path, browsers: &BrowserFactory, stop: &StopSignal) {
    if report.stopped.is_some() || stop.is_set() {
        return;
    }
    let first: Vec<usize> = report.root_causes.iter().filter_map(|cause| cause.findings.first().copied()).collect();
    for finding in report.findings.iter_mut().filter(|finding| first.contains(&finding.id)) {
        let file = format!("{}/{FILE}", finding.id);
        match failing_traffic(&folder.join(&finding.trace), browsers, stop) {
            Ok(Some(har)) if fs::write(folder.join(&file), &har).is_ok() => finding.traffic = Some(file),
            Ok(Some(_)) => report.notes.push(format!("{file} could not be written")),
            Ok(None) => report.notes.push(format!(
                "finding {} did not come back in {ATTEMPTS} executions that recorded its traffic: it has no {FILE}",
                finding.id
            )),
            Err(error) => report.notes.push(format!("the traffic of finding {}: {error:#}", finding.id)),
        }
    }
    browsers.stop_recording_traffic();
}

/// The traffic of an execution that fails as the recorded one did.
fn failing_traffic(trace: &Path, browsers: &BrowserFactory, stop: &StopSignal) -> anyhow::Result<Option<String>> {
    let trace = colobus_run::load(trace).context("its trace cannot be read")?;
    for _ in 0..ATTEMPTS {
        let log = browsers.record_traffic();
        let replay = colobus_run::replay(&trace, Checks::default(), browsers, 1, stop)?;
        if replay.reproduced() == 1 {
            return Ok(Some(log.take_har(&browsers.redaction())));
        }
    }
    Ok(None)
}
