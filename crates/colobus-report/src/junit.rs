//! `junit.xml`: one suite per run, with a case for the search itself, a failing one for every root cause (or, if lines were
//! searched for, one per line), and one with an error for everything of which nothing can be said.

use std::fmt::Write as _;
use std::path::Path;

use colobus_model::{AnsweredLine, Finding, Report, RootCause, SearchKind, Tally, UnknownCase};

use crate::at_end::AtEnd;
use crate::figures::counted;
use crate::files::JUNIT_XML;
use crate::printable::{NOT_TO_BE_IGNORED, case, failed_checks, printable};
use crate::root_cause::{findings_of, name, places};
use crate::{Output, Reporter, replay_command};

/// Where `junit.xml` is, at the end: the file is written with every report.
pub(crate) const JUNIT: Reporter = Reporter {
    name: "junit",
    describe: "where the JUnit XML of the run is",
    output: Output::ForPeople,
    renderer: |out, _| Box::new(AtEnd::new(out, |report, folder| Ok(junit_notice(report, folder)))),
};

fn junit_notice(_report: &Report, folder: &Path) -> String {
    format!("junit: {}\n", printable(&folder.join(JUNIT_XML).to_string_lossy()))
}

/// The report as JUnit XML; `folder` is the run's folder as the reproducing commands name it.
pub fn junit_xml(report: &Report, folder: &Path) -> String {
    let timing = &report.timing;
    let time = seconds(timing.phase1_s + timing.phase2_s + timing.reduce_s);
    let accepted = report.root_causes.iter().filter(|cause| cause.accepted.is_some()).count();
    let unknown = report.unknown.len();
    let (failures, results) = match &report.lines {
        Some(lines) => (lines.answers.iter().filter(|answer| !answer.as_expected).count(), lines.answers.len()),
        None => (report.root_causes.len() - accepted, report.root_causes.len()),
    };
    let totals = format!(
        r#"tests="{}" failures="{failures}" errors="{}" time="{time}""#,
        results + unknown + 1,
        unknown + usize::from(is_in_doubt(report)),
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(xml, r#"<testsuites name="colobus" {totals}>"#);
    let _ = writeln!(xml, r#"  <testsuite name="{}" {totals} skipped="{accepted}">"#, attribute(&report.application));
    properties(&mut xml, report);
    search_case(&mut xml, report, &time);
    match &report.lines {
        Some(lines) => lines.answers.iter().for_each(|answer| line_case(&mut xml, answer)),
        None => report.root_causes.iter().for_each(|cause| cause_case(&mut xml, cause, report, folder)),
    }
    for unknown in &report.unknown {
        unknown_case(&mut xml, unknown);
    }
    if !report.notes.is_empty() || !report.personal.is_empty() {
        let _ = writeln!(xml, "    <system-out>{}</system-out>", escaped(&remarks(report)));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn properties(xml: &mut String, report: &Report) {
    let shard = report.shard.map(|(part, parts)| format!("{part}/{parts}"));
    let properties = [
        ("browser", Some(report.browser.clone())),
        ("seed", Some(report.seed.to_string())),
        ("depth", Some(report.depth.to_string())),
        ("clients", Some(report.clients.to_string())),
        ("shard", shard),
    ];
    xml.push_str("    <properties>\n");
    for (name, value) in properties {
        if let Some(value) = value {
            let _ = writeln!(xml, r#"      <property name="{name}" value="{}"/>"#, attribute(&value));
        }
    }
    xml.push_str("    </properties>\n");
}

/// Whether the search itself cannot be trusted, whatever was found.
fn is_in_doubt(report: &Report) -> bool {
    report.stopped.is_some() || !report.doubts.is_empty()
}

fn unknown_case(xml: &mut String, unknown: &UnknownCase) {
    let _ = writeln!(
        xml,
        r#"    <testcase classname="colobus.unknown" name="{}" time="0">
      <error message="{}" type="unknown"/>
    </testcase>"#,
        escaped(&case(&unknown.case)),
        attribute(&unknown.reason),
    );
}

/// Passes when everything ran and can be trusted, whatever was found: what was found has cases of its own.
fn search_case(xml: &mut String, report: &Report, time: &str) {
    let Tally { planned, judged, not_applicable, unknown, not_run } = report.counts.interactions;
    let ran = report.counts.interactions.ran();
    let cases = counted(ran, report.search.noun());
    let name = match report.search {
        SearchKind::Interactions => format!("{cases} of {}", counted(report.actions.len(), "action")),
        SearchKind::Mistakes | SearchKind::Events | SearchKind::Orders | SearchKind::Lines => cases,
    };
    let case = format!(r#"    <testcase classname="colobus.search" name="{name}" time="{time}""#);
    if !is_in_doubt(report) {
        let _ = writeln!(xml, "{case}/>");
        return;
    }
    let reasons: Vec<&String> = report.stopped.iter().chain(&report.doubts).collect();
    let message = reasons.iter().map(|reason| printable(reason)).collect::<Vec<_>>().join("; ");
    let tally = format!(
        "{planned} planned: {judged} judged, {not_applicable} not applicable, {unknown} unknown, {not_run} not run"
    );
    let _ = writeln!(xml, "{case}>");
    let _ = writeln!(
        xml,
        r#"      <error message="{}" type="incomplete">{tally}</error>
    </testcase>"#,
        escaped(&message)
    );
}

fn cause_case(xml: &mut String, cause: &RootCause, report: &Report, folder: &Path) {
    let findings: Vec<&Finding> = findings_of(cause, report).collect();
    let message = findings.first().map_or("", |finding| finding.difference.summary.as_str());
    let mut text = String::new();
    for finding in findings.iter() {
        let _ = writeln!(
            text,
            "{}:\n  {}\n  reproduced {} of {} times: {}",
            case(&finding.case()),
            failed_checks(finding).join("\n  "),
            finding.reproduced,
            finding.attempts,
            replay_command(folder, finding.id, &report.configuration),
        );
        if let Some(line) = places(finding) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let (check, name) = (attribute(cause.check.as_str()), escaped(&name(cause)));
    let kind = cause.kind;
    if let Some(why) = &cause.accepted {
        let _ = writeln!(
            xml,
            r#"    <testcase classname="colobus.{check}" name="{name} ({kind})" time="0">
      <skipped message="accepted: {}"/>
    </testcase>"#,
            attribute(why),
        );
        return;
    }
    let _ = writeln!(
        xml,
        r#"    <testcase classname="colobus.{check}" name="{name} ({kind})" time="0">
      <failure message="{}" type="{kind}">{}</failure>
    </testcase>"#,
        attribute(message),
        escaped(&text),
    );
}

/// A line passes if its answer is the expected one.
fn line_case(xml: &mut String, answer: &AnsweredLine) {
    let AnsweredLine { line, verdict, seconds: took, events, reasons, as_expected, .. } = answer;
    let case =
        format!(r#"    <testcase classname="colobus.reach" name="{}" time="{}""#, attribute(line), seconds(*took));
    if *as_expected {
        let _ = writeln!(xml, "{case}/>");
        return;
    }
    let text: Vec<String> = events.iter().chain(reasons).map(|line| printable(line)).collect();
    let _ = writeln!(
        xml,
        r#"{case}>
      <failure message="{}" type="reach">{}</failure>
    </testcase>"#,
        attribute(verdict),
        escaped(&text.join("\n")),
    );
}

fn remarks(report: &Report) -> String {
    let mut text = String::new();
    for found in &report.personal {
        let place = printable(&found.place);
        let ignore = found.ignore.as_ref().map_or(NOT_TO_BE_IGNORED.to_string(), |ignore| printable(ignore));
        let _ = writeln!(text, "differs even when users take turns: {place}: {ignore}");
    }
    for note in &report.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// A decimal as the schema wants it: no exponent, not a number never.
fn seconds(seconds: f64) -> String {
    format!("{:.3}", if seconds.is_finite() { seconds.max(0.0) } else { 0.0 })
}

/// One line for an attribute.
fn attribute(text: &str) -> String {
    escaped(&printable(text))
}

/// Text for XML 1.0. Characters that no document may hold, not even escaped, become U+FFFD.
fn escaped(text: &str) -> String {
    let is_forbidden = |c: char| matches!(c, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') && !matches!(c, '\t' | '\n');
    colobus_markup::escaped(&text.replace(is_forbidden, "\u{fffd}"))
}
