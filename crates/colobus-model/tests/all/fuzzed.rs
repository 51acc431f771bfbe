//! Traces, reports, schedules and lines that reproduce a finding, mutated: each is read or refused.

use colobus_model::{Report, Reproduction, Schedule, Trace};
use serde_json::json;

fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

#[test]
fn traces() {
    let trace = json!({
        "version": colobus_model::TRACE_VERSION,
        "application": {
            "url": "http://127.0.0.1:{port}/{doc}", "launch": null, "reset": "fresh_document", "hosts": ["example.org:80"],
            "ready": null, "focus": "#text", "caret": "untouched", "ignore": [".clock"], "css": "", "freeze_animations": true,
            "state": null, "viewport": {"width": 100, "height": 50},
            "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0}
        },
        "interaction": {
            "prefix": [{"name": "a", "steps": [{"type": "a"}], "deletes": false}],
            "concurrent": [{"name": "b", "steps": [{"press": "Enter"}], "deletes": false}], "rounds": 1
        },
        "schedule": "A1 B1 ~", "messages": {}, "judged_by": ["pixels", "state"], "tokens": [], "snapshots": [],
        "observations": [{"dom": "<p>\n", "state": {"a": [1, 2]}, "errors": []}],
        "late_joiner": null, "known_errors": [], "outcome": "completed"
    })
    .to_string();
    assert_eq!(
        Trace::from_json(&trace).map(|trace| trace.schedule.events.len()).ok(),
        Some(3),
        "the sample is a trace"
    );
    colobus_mutate::each(&[trace.as_bytes()], |input| {
        if let Ok(trace) = Trace::from_json(&text(input)) {
            let _ = (trace.to_json(), trace.ignored_rectangles());
        }
    });
}

#[test]
fn reports() {
    let report = serde_json::to_string(&Report::default()).unwrap();
    colobus_mutate::each(&[report.as_bytes()], |input| {
        if let Ok(report) = serde_json::from_slice::<Report>(input) {
            let _ = (report.doubts_about(), report.unexercised());
        }
    });
}

#[test]
fn schedules() {
    let samples: &[&[u8]] = &[b"A1 B1 ~", b"A1 ~ A2 A3 B1 A>1 B<2 ~", b"A1 -A +A B1 *B B@ ~"];
    colobus_mutate::each(samples, |input| {
        if let Ok(schedule) = text(input).parse::<Schedule>() {
            let again = schedule.to_string().parse::<Schedule>();
            assert_eq!(again.as_ref().ok(), Some(&schedule), "{input:?}");
        }
    });
}

#[test]
fn reproductions() {
    let samples: &[&[u8]] = &[b"type a, (bold || type b) @ A1 B1 ~", b"(a || b || c)", b"a, b, (c || d) x 2"];
    colobus_mutate::each(samples, |input| {
        let _ = text(input).parse::<Reproduction>();
    });
}
