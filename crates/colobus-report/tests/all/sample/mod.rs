//! A run as it could have been: three root causes in four findings, with traces and screenshots.

mod evidence;

use colobus_model::{
    Case, CheckId, Counts, Difference, DifferenceKind, Exercised, ExercisedAction, FailingInteraction, Finding, Report,
    Reproduction, RootCause, Schedule, Searched, SometimesHeld, Tally, Timing, UnknownCase,
};

pub use evidence::write_evidence;

pub fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

pub fn finding(
    id: usize,
    prefix: &[&str],
    concurrent: &[&str],
    schedule: &str,
    kind: DifferenceKind,
    summary: &str,
) -> Finding {
    let check = if kind == DifferenceKind::Error { CheckId::new("errors") } else { CheckId::new("convergence") };
    let schedule: Schedule = schedule.parse().expect("a schedule");
    let mut sorted = names(concurrent);
    sorted.sort();
    Finding {
        id,
        searched: Searched::Interaction(FailingInteraction {
            prefix: names(prefix),
            concurrent: names(concurrent),
            schedule: schedule.clone(),
            line: Reproduction { prefix: names(prefix), concurrent: names(concurrent), schedule }.to_string(),
            passing: None,
            critical: None,
        }),
        reduced: true,
        check,
        difference: Difference { kind, summary: summary.to_string() },
        also: Vec::new(),
        reproduced: 10,
        attempts: 10,
        seen_in: None,
        repeated_in: Vec::new(),
        cause: format!("{kind} of {}", sorted.join(" and ")),
        root_cause: 0,
        trace: format!("{id}/trace.json"),
        traffic: None,
        failures: 1,
    }
}

/// The interaction of a finding of the sample, to be changed.
pub fn failing(finding: &mut Finding) -> &mut FailingInteraction {
    match &mut finding.searched {
        Searched::Interaction(found) => found,
        Searched::Session(_) | Searched::Sequence(_) | Searched::Order(_) | Searched::Line(_) => {
            panic!("the sample has interactions only")
        }
    }
}

/// A complete run in which nothing was found.
pub fn quiet_report() -> Report {
    Report {
        version: 1,
        application: "Notes, the demo editor".to_string(),
        configuration: "colobus.toml".to_string(),
        browser: "Chromium 142.0.7444.59".to_string(),
        seed: 42,
        depth: 3,
        clients: 2,
        actions: names(&[
            "type a",
            "type b",
            "Enter",
            "bold line",
            "italic line",
            "delete line",
            "indent",
            "list",
            "word left",
            "undo",
        ]),
        counts: Counts {
            sequences: Tally { planned: 1000, judged: 1000, ..Tally::default() },
            source_states: 111,
            equivalence_classes: 58,
            potential_conflicts: 1103,
            naive: 4995,
            interactions: Tally { planned: 1103, judged: 1091, not_applicable: 12, ..Tally::default() },
            executions: 1391,
            ..Counts::default()
        },
        timing: Timing { phase1_s: 131.4, phase2_s: 188.2, interaction_ms_median: 163.0, ..Timing::default() },
        ..Report::default()
    }
}

/// The same run on an application with bugs.
pub fn report() -> Report {
    let mut findings = vec![
        finding(
            1,
            &["type a", "Enter"],
            &["bold line", "delete line"],
            "A1 A2 B1 B2 ~",
            DifferenceKind::Markup,
            "A and B show the same text with different markup: the line is bold for A only",
        ),
        finding(
            2,
            &[],
            &["type a", "type b", "word left"],
            "A1 B1 C1 ~",
            DifferenceKind::Text,
            "A shows “ab” where B and C show “ba”",
        ),
        finding(
            3,
            &["type a", "bold line", "Enter"],
            &["bold line", "delete line"],
            "A1 A2 B1 B> B! B2 A> B+ B< ~",
            DifferenceKind::Markup,
            "A and B show the same text with different markup",
        ),
        finding(
            4,
            &["type a"],
            &["indent", "undo"],
            "A1 B1 ~",
            DifferenceKind::Error,
            "B throws “TypeError: Cannot read properties of undefined (reading 'attributes')”, which no sequential run did",
        ),
    ];
    findings[0].failures = 23;
    findings[3].reproduced = 7;
    let root_causes = RootCause::group(&mut findings);
    let mut report = quiet_report();
    report.counts.failures = 31;
    (report.counts.interactions.judged, report.counts.interactions.unknown) = (1089, 2);
    report.counts.restarts = 1;
    report.counts.findings = findings.len();
    report.counts.root_causes = root_causes.len();
    report.timing.reduce_s = 24.0;
    report.findings = findings;
    report.root_causes = root_causes;
    report.unknown = vec![
        unknown(&["type a"], &["list", "undo"], "the page never settled: a timer fires every 16 ms"),
        unknown(&["Enter"], &["list", "undo"], "the page never settled: a timer fires every 16 ms"),
    ];
    report.notes = names(&["refused to forward to fonts.example.org; add it to hosts if the application needs it"]);
    report
}

pub fn unknown(prefix: &[&str], concurrent: &[&str], reason: &str) -> UnknownCase {
    let case = Case::Interaction { prefix: names(prefix), concurrent: names(concurrent) };
    UnknownCase { case, reason: reason.to_string() }
}

/// What a page, an action or a path may contain to break out of where it is shown.
pub const HOSTILE: &str =
    "</script><!-- ]]> <img src=x onerror=alert(1)> & \" ' \u{1b}[31m \u{0}\u{7} \u{202e}evil\u{202c} \u{2028} 👩‍👩‍👧 %0A";

pub fn hostile_report() -> Report {
    let mut report = quiet_report();
    let mut findings = vec![finding(1, &[HOSTILE], &[HOSTILE, HOSTILE], "A1 B1 ~", DifferenceKind::Text, HOSTILE)];
    findings[0].check = CheckId::new(HOSTILE);
    report.application = HOSTILE.to_string();
    report.browser = HOSTILE.to_string();
    report.stopped = Some(HOSTILE.to_string());
    report.actions = names(&[HOSTILE]);
    report.root_causes = RootCause::group(&mut findings);
    report.findings = findings;
    report.unknown = vec![unknown(&[HOSTILE], &[HOSTILE, "b"], HOSTILE)];
    report.notes = names(&[HOSTILE]);
    let action = ExercisedAction { action: HOSTILE.to_string(), ..ExercisedAction::default() };
    let sometimes = vec![SometimesHeld { name: HOSTILE.to_string(), ..SometimesHeld::default() }];
    report.exercised = Some(Exercised { actions: vec![action], crossed: 0, changed: None, sometimes });
    report.unexercised = names(&[HOSTILE]);
    report.script_errors = names(&[HOSTILE]);
    report.doubts = names(&[HOSTILE]);
    report
}
