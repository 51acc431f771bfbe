//! The traffic of findings of `check` and `race`; that of the other searches is recorded by the run loop. When a search of `check` is
//! over, each of its findings is run once more with its messages recorded, and a HAR file of an execution that failed is written into its
//! folder. The search itself has no tap, and a file never shows an execution that passed. Findings of `race` keep the answers that were
//! recorded with the page: their HAR file is made of these.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use colobus_driver::BrowserFactory;
use colobus_model::{Finding, Report};
use colobus_run::{Checks, StopSignal};

use crate::session::Session;

const FILE: &str = Finding::TRAFFIC_FILE;
/// How often a finding that does not come back every time is tried.
const ATTEMPTS: usize = 3;
/// How long recording may take after the end of a search that was over time.
const AFTER_TIMEOUT: Duration = Duration::from_secs(60);

/// Records the traffic of every finding, and names the files in the report. What could not be recorded becomes a note. A search that
/// the user interrupted ends at once.
pub fn record(report: &mut Report, folder: &Path, session: &Session, stop: &StopSignal) {
    if stop.is_interrupted() || report.findings.is_empty() {
        return;
    }
    if !stop.is_set() {
        record_with(report, folder, &session.browsers, stop);
        return session.browsers.stop_recording_traffic();
    }
    // The browsers of the search stopped with it.
    let beyond = stop.beyond_limit();
    beyond.limit(AFTER_TIMEOUT);
    match session.further_browsers(&beyond) {
        Ok(browsers) => record_with(report, folder, &browsers, &beyond),
        Err(error) => report.notes.push(format!("the traffic of the findings was not recorded: {error:#}")),
    }
}

fn record_with(report: &mut Report, folder: &Path, browsers: &BrowserFactory, stop: &StopSignal) {
    for index in 0..report.findings.len() {
        let finding = &report.findings[index];
        let recorded = failing_traffic(&folder.join(&finding.trace), browsers, stop);
        if stop.is_set() {
            let left = report.findings.len() - index;
            return report
                .notes
                .push(format!("the traffic of {left} findings was not recorded: the time for it is over"));
        }
        let note = match recorded {
            Ok(Some(har)) => write(&mut report.findings[index], folder, &har),
            Ok(None) => Some(format!(
                "finding {} did not come back in {ATTEMPTS} executions that recorded its traffic: it has no {FILE}",
                finding.id
            )),
            Err(error) => Some(format!("the traffic of finding {}: {error:#}", finding.id)),
        };
        report.notes.extend(note);
    }
}

/// Writes the file of a finding and names it there; a note if that fails.
fn write(finding: &mut Finding, folder: &Path, har: &str) -> Option<String> {
    let file = format!("{}/{FILE}", finding.id);
    match fs::write(folder.join(&file), har) {
        Ok(()) => {
            finding.traffic = Some(file);
            None
        }
        Err(error) => Some(format!("{file} could not be written: {error}")),
    }
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

/// Writes the recorded answers of every finding of `race`, also of a search that was stopped.
pub fn of_races(report: &mut Report, folder: &Path) {
    for finding in &mut report.findings {
        let note = match colobus_race_run::load(&folder.join(&finding.trace)) {
            Ok(evidence) => write(finding, folder, &colobus_race_run::har_of(&evidence.recorded)),
            Err(problem) => Some(format!("the traffic of finding {}: {problem}", finding.id)),
        };
        report.notes.extend(note);
    }
}
