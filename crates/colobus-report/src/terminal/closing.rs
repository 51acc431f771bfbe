//! What stands at the end of a run: the figures, then every cause with the lines that reproduce its findings.

use std::path::Path;

use colobus_model::{FailingOrder, Finding, Report, RootCause, Searched};

use super::{Look, answers};
use crate::figures::{counted, grouped, spoken_seconds};
use crate::files::REPORT_HTML;
use crate::printable::{NOT_TO_BE_IGNORED, case, failed_checks, printable};
use crate::root_cause::{findings_of, name, places};
use crate::{replay_command, replay_line};

/// Made-up answers of a finding that are shown; the report has all of them.
const MOST_ANSWERS: usize = 3;

pub(super) fn closing(report: &Report, output: &Path, look: &Look) -> String {
    let mut lines = vec![String::new()];
    lines.extend(figures(report).iter().map(|(name, figure)| format!("  {name:<20} {figure:>9}")));
    lines.push(String::new());
    match &report.lines {
        Some(searched) => lines.extend(answers::answers(searched, report, output, look)),
        None => lines.extend(report.root_causes.iter().flat_map(|cause| {
            let cause = root_cause(cause, report, output, look);
            cause.into_iter().chain([String::new()])
        })),
    }
    lines.extend(report.gone.iter().map(|cause| {
        let (name, why) = (printable(&cause.name), printable(&cause.why));
        format!("accepted, and did not come back: {name} ({why}): if it is repaired, take it from the list")
    }));
    if !report.personal.is_empty() {
        lines.push("differs even when users take turns (no race, no finding):".to_string());
        lines.extend(report.personal.iter().map(|found| {
            let place = printable(&found.place);
            let ignore =
                found.ignore.as_ref().map_or(NOT_TO_BE_IGNORED.to_string(), |line| look.command(&printable(line)));
            format!("   {place}  ({})  {ignore}", counted(found.cases, report.search.noun()))
        }));
        lines.push(String::new());
    }
    if !report.unexercised.is_empty() {
        lines.push("hardly exercised:".to_string());
        lines.extend(report.unexercised.iter().map(|gap| format!("   {}", printable(gap))));
        lines.push(String::new());
    }
    if let Some(reason) = &report.stopped {
        lines.push(format!("{}: {}", look.doubt("not complete"), printable(reason)));
    }
    lines.extend(report.doubts.iter().map(|doubt| format!("{}: {}", look.doubt("in doubt"), printable(doubt))));
    lines.extend(report.explored.iter().map(|explored| printable(explored)));
    lines.push(verdict(report, look));
    lines.push(format!("report: {}", printable(&output.join(REPORT_HTML).to_string_lossy())));
    lines.join("\n")
}

/// The way from all sequences to the causes. What did not happen is left out, the result never is.
fn figures(report: &Report) -> Vec<(&'static str, String)> {
    let counts = &report.counts;
    let (sequences, interactions) = (&counts.sequences, &counts.interactions);
    let (explored, always) = (sequences.planned > 0, true);
    let (exploration, explores) = (report.exploration.clone().unwrap_or_default(), report.exploration.is_some());
    let (lines, searches_lines) = (report.lines.clone().unwrap_or_default(), report.lines.is_some());
    [
        ("sequences", sequences.planned, explored),
        ("  judged", sequences.judged, explored),
        ("  not applicable", sequences.not_applicable, sequences.not_applicable > 0),
        ("  unknown", sequences.unknown, sequences.unknown > 0),
        ("  not run", sequences.not_run, sequences.not_run > 0),
        ("source states", counts.source_states, explored),
        ("equivalence classes", counts.equivalence_classes, explored),
        ("conflicts", counts.potential_conflicts, explored),
        (report.search.nouns(), interactions.planned, always),
        ("  judged", interactions.judged, always),
        ("  not applicable", interactions.not_applicable, interactions.not_applicable > 0),
        ("  unknown", interactions.unknown, interactions.unknown > 0),
        ("  not run", interactions.not_run, interactions.not_run > 0),
        ("executions", counts.executions, counts.executions != interactions.ran()),
        ("browser restarts", counts.restarts, counts.restarts > 0),
        ("events", exploration.performed, explores),
        ("states of the page", exploration.states, explores),
        ("lines of scripts", exploration.lines, explores),
        ("  that ran", exploration.lines_covered, explores),
        ("states of the page", lines.states, searches_lines),
        ("events", lines.events, searches_lines),
        ("reached", counts.findings, searches_lines),
        ("failures", counts.failures, !searches_lines),
        ("findings", counts.findings, !searches_lines),
        ("causes", counts.root_causes, !searches_lines),
    ]
    .into_iter()
    .filter(|(_, _, shown)| *shown)
    .map(|(name, count, _)| (name, grouped(count)))
    .collect()
}

/// Findings of a cause that are listed; the report page has all.
const MOST_LISTED: usize = 5;

fn root_cause(cause: &RootCause, report: &Report, output: &Path, look: &Look) -> Vec<String> {
    let findings: Vec<&Finding> = findings_of(cause, report).collect();
    let of_all = format!("cause {} of {}", cause.id, report.root_causes.len());
    let members = counted(cause.failures, report.search.noun());
    let head = format!("{of_all}: {}", name(cause));
    let mut lines = vec![match &cause.accepted {
        Some(why) => format!("{} ({members}, accepted: {})", look.doubt(&head), printable(why)),
        None => format!("{} ({members})", look.bad(&head)),
    }];
    let Some((shortest, others)) = findings.split_first() else { return lines };
    let listed = failed_checks(shortest);
    lines.extend(listed.iter().map(|failed| format!("   {failed}")));
    if let Searched::Sequence(found) = &shortest.searched {
        let answers = found.answers.iter().take(MOST_ANSWERS);
        lines.extend(answers.map(|answer| format!("   {}: {}", answer.role(), printable(&answer.text))));
    }
    let critical = shortest.interaction().and_then(|found| found.critical.as_ref());
    lines.extend(critical.map(|critical| format!("   {}", printable(&critical.to_string()))));
    if let Searched::Order(order) = &shortest.searched {
        lines.extend(pair(order).iter().map(|line| format!("   {}", printable(line))));
    }
    let shown = &others[..others.len().min(MOST_LISTED)];
    let widest = std::iter::once(shortest).chain(shown).map(|finding| case(&finding.case()).chars().count()).max();
    let width = widest.unwrap_or(0).min(60);
    let line = |finding: &Finding| {
        let command = look.command(&replay_command(output, finding.id, &report.configuration));
        let (reproduced, attempts) = (finding.reproduced, finding.attempts);
        format!("   {:<width$}  {reproduced:>2} of {attempts:>2}  {command}", case(&finding.case()))
    };
    lines.push(line(shortest));
    lines.extend(places(shortest).map(|line| format!("   {}", printable(&line))));
    lines.extend(replay_line(report, shortest).map(|line| format!("   {}", look.command(&line))));
    lines.extend(shown.iter().map(|finding| line(finding)));
    if others.len() > shown.len() {
        lines.push(format!("   and {} in the report", counted(others.len() - shown.len(), "further finding")));
    }
    lines
}

/// What two events of a page share, where, and how to turn them round by hand.
fn pair(order: &FailingOrder) -> Vec<String> {
    let by_hand = if order.confirmed { "Confirmed on the plain page with" } else { "Not confirmed on the plain page:" };
    vec![
        format!("Works if {} comes first ({}).", order.first, order.first_at),
        format!("Fails if {} comes first ({}).", order.second, order.second_at),
        format!("Both touch: {}.", order.place),
        format!("{by_hand} {}.", order.by_hand),
    ]
}

fn verdict(report: &Report, look: &Look) -> String {
    let timing = &report.timing;
    let time = spoken_seconds(timing.phase1_s + timing.phase2_s + timing.reduce_s);
    if let Some(lines) = &report.lines {
        return answers::verdict(lines, report, &time);
    }
    if !report.findings.is_empty() {
        let causes = look.bad(&counted(report.root_causes.len(), "cause"));
        let accepted = report.root_causes.iter().filter(|cause| cause.accepted.is_some()).count();
        let causes = if accepted > 0 { format!("{causes} ({accepted} accepted)") } else { causes };
        return format!("{causes} in {} after {time}", counted(report.findings.len(), "finding"));
    }
    let judged = counted(report.counts.interactions.judged, report.search.noun());
    let nothing = if report.doubts.is_empty() { look.good("nothing found") } else { look.doubt("nothing found") };
    let doubt = match report.counts.interactions.unknown {
        0 => String::new(),
        unknown => format!(", but of {} nothing can be said", grouped(unknown)),
    };
    format!("{nothing} in {judged} after {time}{doubt}")
}
