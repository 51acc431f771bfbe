//! The way to the end: answers without their questions, in traces made by hand.

use colobus_check::{Checks, Judgement};
use colobus_model::{Action, ClientId, Interaction, Snapshot, Step, Trace};
use serde_json::json;

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const C: ClientId = ClientId(2);

/// A writes `a`, B writes `on `, C writes nothing that matters; snapshots are `(after, client, text)`.
fn judged(schedule: &str, steps: [&str; 3], snapshots: &[(usize, ClientId, &str)]) -> Judgement {
    let action = |text: &&str| Action::new(*text, vec![Step::Type(text.to_string())]);
    let snapshot = |(after, client, text): &(usize, ClientId, &str)| Snapshot {
        after: *after,
        client: *client,
        text: text.to_string(),
    };
    let mut trace: Trace = serde_json::from_value(json!({
        "version": colobus_model::TRACE_VERSION,
        "application": {
            "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null, "focus": null,
            "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
            "viewport": {"width": 20, "height": 20},
            "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0},
        },
        "interaction": {"prefix": [], "concurrent": []}, "schedule": schedule, "judged_by": [], "observations": [],
        "known_errors": [], "outcome": "completed",
    }))
    .unwrap();
    trace.interaction = Interaction::new(vec![], steps.iter().map(action).collect());
    trace.snapshots = snapshots.iter().map(snapshot).collect();
    Checks::default().judge(&trace)
}

const BEFORE: [(usize, ClientId, &str); 3] = [(0, A, "na"), (0, B, "na"), (0, C, "na")];

fn with(later: &[(usize, ClientId, &'static str)]) -> Vec<(usize, ClientId, &'static str)> {
    [&BEFORE[..], later].concat()
}

#[test]
fn an_answer_without_its_question_fails() {
    let snapshots = with(&[(1, A, "naa"), (3, B, "naa"), (4, B, "on naa"), (6, C, "on na"), (7, C, "on naa")]);
    match judged("A1 A> B< B1 B> C< C<", ["a", "on ", "b"], &snapshots) {
        Judgement::Fail { check, difference, .. } => {
            assert_eq!(check.as_str(), "precedence");
            assert_eq!(
                difference.summary,
                "C sees “on”, which B wrote after seeing “a” of A, without that (after event 6)"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_did_not_know_of_it_owes_nothing() {
    let together = with(&[(1, A, "naa"), (2, B, "on na"), (5, C, "on na"), (6, C, "on naa")]);
    assert_eq!(judged("A1 B1 A> B> C< C<", ["a", "on ", "b"], &together), Judgement::Pass);
    let in_order = with(&[(1, A, "naa"), (3, B, "naa"), (4, B, "on naa"), (6, C, "naa"), (7, C, "on naa")]);
    assert_eq!(judged("A1 A> B< B1 B> C< C<", ["a", "on ", "b"], &in_order), Judgement::Pass);
}

#[test]
fn texts_that_cannot_be_told_apart_are_not_judged() {
    let snapshots = with(&[(1, A, "naa"), (3, B, "naa"), (4, B, "anaa"), (6, C, "ana")]);
    assert_eq!(judged("A1 A> B< B1 B> C< C<", ["a", "a", "b"], &snapshots), Judgement::Pass);
}
