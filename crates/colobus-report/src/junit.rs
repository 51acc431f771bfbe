//! `junit.xml`: one suite per run, with a case for the search itself and a failing one for every root cause.

use std::fmt::Write as _;
use std::path::Path;

use colobus_model::{Finding, Report, RootCause};

use crate::figures::counted;
use crate::files::JUNIT_XML;
use crate::printable::{interaction, printable, together};
use crate::replay_command;
use crate::root_cause::findings_of;

/// `--reporter junit`: the file is written with every report; this says where it is.
pub(crate) fn junit_notice(_report: &Report, folder: &Path) -> String {
    format!("junit: {}\n", printable(&folder.join(JUNIT_XML).to_string_lossy()))
}

/// The report as JUnit XML; `folder` is the run's folder as the reproducing commands name it.
pub fn junit_xml(report: &Report, folder: &Path) -> String {
    let timing = &report.timing;
    let time = seconds(timing.phase1_s + timing.phase2_s + timing.reduce_s);
    let failures = report.root_causes.len();
    let totals = format!(
        r#"tests="{}" failures="{failures}" errors="{}" time="{time}""#,
        failures + 1,
        usize::from(report.stopped.is_some()),
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(xml, r#"<testsuites name="colobus" {totals}>"#);
    let _ = writeln!(xml, r#"  <testsuite name="{}" {totals} skipped="0">"#, attribute(&report.application));
    properties(&mut xml, report);
    search_case(&mut xml, report, &time);
    for cause in &report.root_causes {
        cause_case(&mut xml, cause, report, folder);
    }
    if !report.unknown.is_empty() || !report.notes.is_empty() {
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

/// Passes when everything ran, whatever was found: what was found has cases of its own.
fn search_case(xml: &mut String, report: &Report, time: &str) {
    let case = format!(
        r#"    <testcase classname="colobus.search" name="{} of {}" time="{time}""#,
        counted(report.counts.interactions, "interaction"),
        counted(report.actions.len(), "action"),
    );
    match &report.stopped {
        None => {
            let _ = writeln!(xml, "{case}/>");
        }
        Some(reason) => {
            let _ = writeln!(xml, "{case}>");
            let _ = writeln!(xml, r#"      <error message="{}" type="incomplete"/>"#, attribute(reason));
            xml.push_str("    </testcase>\n");
        }
    }
}

fn cause_case(xml: &mut String, cause: &RootCause, report: &Report, folder: &Path) {
    let findings: Vec<&Finding> = findings_of(cause, report).collect();
    let message = findings.first().map_or("", |finding| finding.difference.summary.as_str());
    let mut text = String::new();
    for finding in findings.iter() {
        let _ = writeln!(
            text,
            "{}: {}\n  reproduced {} of {} times: {}",
            interaction(&finding.prefix, &finding.concurrent),
            printable(&finding.difference.summary),
            finding.reproduced,
            finding.attempts,
            replay_command(folder, finding.id),
        );
    }
    let (check, name) = (attribute(cause.check.as_str()), escaped(&together(&cause.concurrent)));
    let kind = cause.kind;
    let _ = writeln!(
        xml,
        r#"    <testcase classname="colobus.{check}" name="{name} ({kind})" time="0">
      <failure message="{}" type="{kind}">{}</failure>
    </testcase>"#,
        attribute(message),
        escaped(&text),
    );
}

fn remarks(report: &Report) -> String {
    let mut text = String::new();
    for unknown in &report.unknown {
        let actions = interaction(&unknown.prefix, &unknown.concurrent);
        let _ = writeln!(text, "unknown: {actions}: {}", printable(&unknown.reason));
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
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\t' | '\n' => xml.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}
