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
        (None, _) if !report.unknown.is_empty() => "\n  `--resume` runs what is unknown again",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use colobus_model::{CheckId, Difference, DifferenceKind, FailingSession, Finding, RootCause, Searched};

    use super::*;

    fn found(reproduced: usize) -> Report {
        let mut findings = vec![Finding {
            id: 1,
            searched: Searched::Session(FailingSession { mistake: "a slip".into(), script: Vec::new() }),
            check: CheckId::new("uncaught"),
            difference: Difference { kind: DifferenceKind::Error, summary: "it throws".into() },
            also: Vec::new(),
            reduced: true,
            reproduced,
            attempts: 3,
            cause: "a cause".into(),
            root_cause: 0,
            trace: "1/session.rec".into(),
            traffic: None,
            failures: 1,
            seen_in: None,
            repeated_in: Vec::new(),
        }];
        let root_causes = RootCause::group(&mut findings);
        Report { findings, root_causes, ..Report::default() }
    }

    #[test]
    fn a_confirmed_finding_comes_first_then_doubt_then_success() {
        let doubtful = |mut report: Report| {
            report.doubts = vec!["nothing was judged".into()];
            exit_code(&report).map_err(|error| error.to_string())
        };
        assert_eq!(exit_code(&Report::default()).unwrap(), ExitCode::SUCCESS);
        assert!(doubtful(Report::default()).unwrap_err().contains("nothing was judged"));
        assert_eq!(doubtful(found(1)), Ok(ExitCode::from(FOUND_SOMETHING)));
        assert!(doubtful(found(0)).is_err(), "it never came back");
        let mut accepted = found(3);
        accepted.root_causes[0].accepted = Some("#1".into());
        assert_eq!(exit_code(&accepted).unwrap(), ExitCode::SUCCESS);
        assert!(doubtful(accepted).is_err());
    }
}
