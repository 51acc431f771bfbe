//! What stands at the end of a search for lines: the answer for each, with the events that reach it and the command that performs
//! them, or with the reasons why it was not reached.

use std::path::Path;

use colobus_model::{AnsweredLine, Finding, LinesReport, Report, Searched};

use super::Look;
use crate::figures::{counted, spoken_seconds};
use crate::printable::printable;
use crate::replay_command;

pub(super) fn answers(lines: &LinesReport, report: &Report, output: &Path, look: &Look) -> Vec<String> {
    // Of many lines the report has the other reasons.
    let most_reasons = if lines.answers.len() > 1 { 1 } else { usize::MAX };
    let answer =
        |answer: &AnsweredLine| {
            let verdict = printable(&answer.verdict);
            let verdict = if answer.as_expected { look.good(&verdict) } else { look.bad(&verdict) };
            let mut text = vec![format!("{verdict} ({})", spoken_seconds(answer.seconds))];
            text.extend(answer.events.iter().map(|event| format!("  {}", printable(event))));
            text.extend(answer.reasons.iter().take(most_reasons).map(|reason| format!("  {}", printable(reason))));
            let reaches =
                |finding: &&Finding| matches!(&finding.searched, Searched::Line(found) if found.line == answer.line);
            let finding = report.findings.iter().find(reaches).filter(|_| answer.reached);
            text.extend(finding.map(|finding| {
                format!("  {}", look.command(&replay_command(output, finding.id, &report.configuration)))
            }));
            text.push(String::new());
            text
        };
    lines.answers.iter().flat_map(answer).collect()
}

/// One line on all of them.
pub(super) fn verdict(lines: &LinesReport, report: &Report, time: &str) -> String {
    let reached = lines.answers.iter().filter(|answer| answer.reached).count();
    let planned = counted(report.counts.interactions.planned, "line");
    format!("{reached} of {planned} reached after {time}")
}
