//! What stands at the end of a search for lines: the answer for each, with the events that reach it and the command that performs
//! them, or with the reasons why it was not reached.

use std::path::Path;

use colobus_model::{AnsweredLine, Finding, LineOutcome, LinesReport, Report, Searched};

use super::Look;
use crate::figures::{counted, spoken_seconds};
use crate::printable::printable;
use crate::replay_command;

pub(super) fn answers(lines: &LinesReport, report: &Report, output: &Path, look: &Look) -> Vec<String> {
    // Of many lines the report has the other reasons.
    let most_reasons = if lines.answers.len() > 1 { 1 } else { usize::MAX };
    let text = |answer: &AnsweredLine| {
        let mut text = answer_of(answer, most_reasons, look);
        let replay =
            finding_of(answer, report).map(|finding| replay_command(output, finding.id, &report.configuration));
        text.extend(replay.map(|command| format!("  {}", look.command(&command))));
        text.push(String::new());
        text
    };
    // One answer says by itself how it ended.
    let has_headings = lines.answers.len() > 1;
    let group = |outcome: LineOutcome| {
        let all: Vec<&AnsweredLine> = lines.answers.iter().filter(|answer| answer.outcome == outcome).collect();
        let heading = format!("{}: {}", outcome.heading(), counted(all.len(), "line"));
        let heading = (has_headings && !all.is_empty()).then(|| [heading, String::new()]);
        heading.into_iter().flatten().chain(all.into_iter().flat_map(text)).collect::<Vec<String>>()
    };
    LineOutcome::ALL.into_iter().flat_map(group).collect()
}

fn answer_of(answer: &AnsweredLine, most_reasons: usize, look: &Look) -> Vec<String> {
    let verdict = printable(&answer.verdict);
    let verdict = if answer.as_expected { look.good(&verdict) } else { look.bad(&verdict) };
    let most_reasons = if answer.reached && answer.as_expected { 0 } else { most_reasons };
    let below = answer.events.iter().chain(answer.reasons.iter().take(most_reasons));
    let head = format!("{verdict} ({})", spoken_seconds(answer.seconds));
    std::iter::once(head).chain(below.map(|line| format!("  {}", printable(line)))).collect()
}

fn finding_of<'a>(answer: &AnsweredLine, report: &'a Report) -> Option<&'a Finding> {
    let reaches = |found: &&Finding| matches!(&found.searched, Searched::Line(found) if found.line == answer.line);
    report.findings.iter().find(reaches)
}

/// One line on all of them.
pub(super) fn verdict(lines: &LinesReport, report: &Report, time: &str) -> String {
    let reached = lines.answers.iter().filter(|answer| answer.reached).count();
    let planned = counted(report.counts.interactions.planned, "line");
    format!("{reached} of {planned} reached after {time}")
}
