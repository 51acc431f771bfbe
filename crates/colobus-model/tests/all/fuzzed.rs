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
    let finding = json!({
        "id": 1,
        "searched": {"interaction": {
            "prefix": ["type a"], "concurrent": ["bold", "type b"], "schedule": "A1 B1 ~", "line": "type a, (bold || type b) : A1 B1 ~",
            "passing": "A1 ~ B1 ~", "critical": null
        }},
        "check": "convergence-dom", "difference": {"kind": "text", "summary": "A shows “a”, B shows “b”"},
        "also": [{"check": "reload", "difference": {"kind": "other", "summary": "a line is gone"}}],
        "reproduced": 3, "attempts": 4, "cause": "convergence-dom text", "root_cause": 1, "trace": "1/trace.json", "failures": 2
    });
    let sample = Report { findings: vec![serde_json::from_value(finding).unwrap()], ..Report::default() };
    let report = serde_json::to_string(&sample).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&report).ok(), Some(sample), "the sample is a report");
    colobus_mutate::each(&[report.as_bytes()], |input| {
        if let Ok(report) = serde_json::from_slice::<Report>(input) {
            let _ = (report.doubts_about(), report.unexercised());
        }
    });
}

#[test]
fn schedules() {
    let samples = ["A1 B1 ~", "A1 ~ A2 A3 B1 A> A>#2 B<#2 A? A?< ~", "A1 A! A+ B1 C* B@ A& A... C< ~"];
    for sample in samples {
        assert_eq!(sample.parse::<Schedule>().map(|schedule| schedule.to_string()).as_deref(), Ok(sample));
    }
    colobus_mutate::each(&samples.map(str::as_bytes), |input| {
        if let Ok(schedule) = text(input).parse::<Schedule>() {
            let again = schedule.to_string().parse::<Schedule>();
            assert_eq!(again.as_ref().ok(), Some(&schedule), "{input:?}");
        }
    });
}

#[test]
fn reproductions() {
    let samples = [
        "type a, (bold || type b) : A1 B1 ~",
        "(a || b || c) : A1 B1 C1 A> B< ~",
        r#"a, "b, c", (c || "d (twice)") : A1 ~ B1 ~"#,
    ];
    for sample in samples {
        assert_eq!(sample.parse::<Reproduction>().map(|line| line.to_string()).as_deref(), Ok(sample));
    }
    colobus_mutate::each(&samples.map(str::as_bytes), |input| {
        if let Ok(line) = text(input).parse::<Reproduction>() {
            let again = line.to_string().parse::<Reproduction>();
            assert_eq!(again.as_ref().ok(), Some(&line), "{input:?}");
        }
    });
}
