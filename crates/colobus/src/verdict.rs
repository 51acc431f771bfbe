//! What the exit code says of a search: 1 if a finding came back, otherwise 2 if anything is in doubt, otherwise 0.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use colobus_model::Report;
use colobus_run::StopSignal;

use crate::FOUND_SOMETHING;

/// Why there is no report: the run had to end before this was done.
pub fn ended_early(stop: &StopSignal, before: &str) -> Option<anyhow::Error> {
    let reason = stop.reason()?;
    Some(anyhow!("{reason}, before {before}: nothing was searched"))
}

/// An error if the user ended the search before anything was found.
pub fn not_interrupted(report: &Report, stop: &StopSignal, command: &str) -> anyhow::Result<()> {
    if stop.is_interrupted() && !report.has_confirmed_finding() {
        bail!("interrupted: the report covers what had run until then\n  `colobus {command} --resume` continues");
    }
    Ok(())
}

pub fn exit_code(report: &Report) -> anyhow::Result<ExitCode> {
    if report.has_confirmed_finding() {
        return Ok(ExitCode::from(FOUND_SOMETHING));
    }
    if report.doubts.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let doubts: Vec<String> = report.doubts.iter().map(|doubt| format!("\n  {doubt}")).collect();
    bail!("nothing was found that comes back, but the search is in doubt:{}{}", doubts.concat(), advice(report));
}

fn advice(report: &Report) -> &'static str {
    match (&report.stopped, report.tolerance.partial) {
        (Some(_), false) => "\n  `--resume` continues the search; `--allow-partial` accepts what was searched",
        _ => "",
    }
}
