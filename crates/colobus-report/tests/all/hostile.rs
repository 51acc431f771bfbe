//! Reports of every search in which every text is the same hostile one, wherever it could have come from a page.

use colobus_model::{
    AcceptedCause, ActionGap, AnsweredLine, BrowserPlace, Case, CheckId, Counts, Difference, DifferenceKind, Exercised,
    ExercisedAction, Exploration, FailedCheck, FailingInteraction, FailingOrder, FailingSequence, FailingSession,
    Finding, LineOutcome, LinesReport, MadeUpAnswer, PersonalPlace, ReachedLine, Repetition, Report, RootCause,
    Schedule, ScriptLine, SearchKind, Searched, SometimesHeld, Tally, UnknownCase,
};
use serde_json::Value;

/// Paths within the folder of the run, which no page chooses.
const OUR_OWN: [&str; 2] = ["trace", "traffic"];

fn x() -> String {
    "x".to_string()
}

/// One report of each search, with this text in the place of every other.
pub fn of_every_search(text: &str) -> Vec<Report> {
    let order = FailingOrder {
        first: x(),
        second: x(),
        place: x(),
        first_at: x(),
        second_at: x(),
        working: vec![x()],
        failing: vec![x()],
        steps: vec![x()],
        gone: vec![x()],
        new: vec![x()],
        exceptions: (vec![x()], vec![x()]),
        requests: (vec![x()], vec![x()]),
        by_hand: x(),
        confirmed: true,
    };
    let answers = vec![MadeUpAnswer { text: x(), of_observed_values: false }];
    let interaction = FailingInteraction {
        prefix: vec![x()],
        concurrent: vec![x(), x()],
        schedule: "A1 B1 ~".parse::<Schedule>().unwrap(),
        line: x(),
        passing: None,
        critical: None,
    };
    let searches = [
        (SearchKind::Interactions, Searched::Interaction(interaction)),
        (
            SearchKind::Mistakes,
            Searched::Session(FailingSession { mistake: x(), script: vec![ScriptLine { text: x(), mistaken: true }] }),
        ),
        (SearchKind::Events, Searched::Sequence(FailingSequence { actions: vec![x()], answers })),
        (SearchKind::Orders, Searched::Order(Box::new(order))),
        (SearchKind::Lines, Searched::Line(ReachedLine { line: x(), events: vec![x()] })),
    ];
    searches.into_iter().map(|(kind, searched)| with_text(&report(kind, searched), text)).collect()
}

fn report(search: SearchKind, searched: Searched) -> Report {
    let difference = || Difference { kind: DifferenceKind::Error, summary: x() };
    let mut findings = vec![Finding {
        id: 1,
        searched,
        check: CheckId::new("x"),
        difference: difference(),
        also: vec![FailedCheck { check: CheckId::new("x"), difference: difference() }],
        reduced: true,
        reproduced: 1,
        attempts: 1,
        cause: x(),
        root_cause: 0,
        trace: "1/trace.json".to_string(),
        traffic: Some("1/traffic.har".to_string()),
        failures: 1,
        seen_in: Some(BrowserPlace { version: x(), node: Some(x()) }),
        repeated_in: vec![Repetition {
            browser: BrowserPlace { version: x(), node: Some(x()) },
            reproduced: 1,
            attempts: 1,
        }],
    }];
    let interactions = Tally { planned: 3, judged: 1, not_applicable: 1, unknown: 1, not_run: 0 };
    let line = |as_expected| AnsweredLine {
        line: x(),
        reached: as_expected,
        outcome: if as_expected { LineOutcome::Reached } else { LineOutcome::External },
        as_expected,
        verdict: x(),
        seconds: 1.0,
        events: vec![x()],
        reasons: vec![x()],
    };
    let cases = [
        Case::Sequence { actions: vec![x()] },
        Case::Interaction { prefix: vec![x()], concurrent: vec![x()] },
        Case::Session { mistake: x() },
        Case::Order { first: x(), second: x(), reversals: 1 },
        Case::Line { line: x() },
    ];
    Report {
        search,
        application: x(),
        configuration: x(),
        recording: (search == SearchKind::Mistakes).then(x),
        explored: (search == SearchKind::Orders).then(x),
        exploration: (search == SearchKind::Events).then(Exploration::default),
        lines: (search == SearchKind::Lines).then(|| LinesReport {
            states: 1,
            events: 1,
            summaries: 1,
            answers: vec![line(true), line(false)],
        }),
        browser: x(),
        stopped: Some(x()),
        actions: vec![x()],
        counts: Counts { interactions, findings: 1, root_causes: 1, ..Counts::default() },
        root_causes: RootCause::group(&mut findings),
        findings,
        gone: vec![AcceptedCause { name: x(), why: x() }],
        personal: vec![PersonalPlace { place: x(), ignore: Some(x()), cases: 1 }],
        unknown: cases.into_iter().map(|case| UnknownCase { case, reason: x() }).collect(),
        not_applicable: vec![ActionGap { action: x(), sequences: 0, interactions: 1, reason: x(), threw: true }],
        never_applied: vec![x()],
        exercised: Some(Exercised {
            actions: vec![ExercisedAction { action: x(), ..ExercisedAction::default() }],
            crossed: 0,
            changed: None,
            sometimes: vec![SometimesHeld { name: x(), ..SometimesHeld::default() }],
        }),
        unexercised: vec![x()],
        nothing_to_do: Some(x()),
        not_as_recorded: vec![x()],
        script_errors: vec![x()],
        doubts: vec![x()],
        notes: vec![x()],
        ..Report::default()
    }
}

/// The report with this text in every place where any text may stand: what is not read again then is a word of ours.
fn with_text(report: &Report, text: &str) -> Report {
    let mut json = serde_json::to_value(report).unwrap();
    let mut places = Vec::new();
    texts(&json, &mut String::new(), &mut places);
    for place in places {
        let part = json.pointer_mut(&place).unwrap();
        let before = std::mem::replace(part, Value::from(text));
        if serde_json::from_value::<Report>(json.clone()).is_err() {
            *json.pointer_mut(&place).unwrap() = before;
        }
    }
    serde_json::from_value(json).unwrap()
}

/// Pointers to all texts of a JSON.
fn texts(json: &Value, place: &mut String, found: &mut Vec<String>) {
    let mut within = |name: &str, part: &Value| {
        let length = place.len();
        place.push('/');
        place.push_str(name);
        texts(part, place, found);
        place.truncate(length);
    };
    match json {
        Value::Array(parts) => parts.iter().enumerate().for_each(|(index, part)| within(&index.to_string(), part)),
        Value::Object(fields) => {
            let theirs = fields.iter().filter(|(name, _)| !OUR_OWN.contains(&name.as_str()));
            theirs.for_each(|(name, part)| within(name, part));
        }
        Value::String(_) => found.push(place.clone()),
        _ => {}
    }
}
