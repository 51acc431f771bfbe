//! What broken types do is found, explained, and the same every time.

use colobus_ot_js::laws::Violation;
use colobus_ot_js::{Counterexample, Failure, Operations, Report, Verdict, check, check_given};
use serde_json::{Value, json};

use crate::support::{SMALL, described, fixture, inserts, module, run, run_with, source, verdict};

fn counterexample(report: &Report) -> &Counterexample {
    report.counterexample.as_ref().expect("a violation")
}

fn failure(name: &str) -> Failure {
    let report = run(&inserts(name), &["tp1"]).unwrap();
    assert_eq!(report.verdict, Verdict::Violated);
    match counterexample(&report).violation.clone() {
        Some(Violation::Failed { failure, .. }) => failure,
        other => panic!("{name} fails, but this is {other:?}"),
    }
}

#[test]
fn a_correct_type_passes_every_law_that_concerns_it() {
    let report = run(&inserts("good/inserts.js"), &[]).unwrap();
    assert_eq!(report.verdict, Verdict::Holds);
    // Documents "", "a", "ab" have 2, 4 and 6 operations.
    let tp1 = report.laws.iter().find(|law| law.law == "tp1").unwrap();
    assert_eq!((tp1.cases, tp1.complete), (4 + 16 + 36, true));
    assert_eq!(verdict(&report, "apply"), Verdict::Holds);
    assert_eq!(
        report.laws.iter().filter(|law| !law.applicable).map(|law| law.law).collect::<Vec<_>>(),
        ["compose", "composed-tp1", "normalize", "transform-compose"]
    );
}

#[test]
fn the_smallest_divergence_is_reported_with_its_steps() {
    let report = run(&inserts("bad/keeps-position.js"), &["tp1"]).unwrap();
    let found = counterexample(&report);
    let shown = serde_json::to_value(found).unwrap();
    assert_eq!(shown["document"], json!(""));
    assert_eq!(shown["operations"], json!([{"at": 0, "text": "x"}, {"at": 0, "text": "y"}]));
    assert_eq!(shown["violation"], json!("diverged"));
    assert_eq!(shown["left"]["document"], json!("yx"));
    assert_eq!(shown["right"]["document"], json!("xy"));
    assert_eq!(found.steps.len(), 6);
    assert!(report.to_string().contains("tp1                VIOLATED"), "{report}");
}

#[test]
fn failures_on_valid_input_are_findings() {
    assert_eq!(failure("bad/throws.js"), Failure::Threw { message: "RangeError: both at 0".into() });
    assert_eq!(failure("bad/endless.js"), Failure::Endless { steps: 100_000 });
    assert_eq!(failure("bad/nonsense.js"), Failure::NotJson { what: "the number NaN".into() });
    assert_eq!(failure("bad/promise.js"), Failure::NotJson { what: "a value of the class Promise".into() });
}

#[test]
fn filling_the_memory_is_a_finding() {
    let mut source = inserts("bad/hog.js");
    source.limits.steps = 100_000_000;
    let report = run(&source, &["tp1"]).unwrap();
    let violation = counterexample(&report).violation.clone();
    assert!(
        matches!(violation, Some(Violation::Failed { failure: Failure::OutOfMemory { mebibytes: 16 }, .. })),
        "{violation:?}"
    );
}

#[test]
fn a_refused_operation_is_a_finding_if_it_was_promised() {
    let report = run(&inserts("bad/refuses.js"), &[]).unwrap();
    assert_eq!(verdict(&report, "apply"), Verdict::Violated);
    // The other laws go on with what is accepted.
    assert_eq!(verdict(&report, "tp1"), Verdict::Holds);
}

#[test]
fn a_type_that_refuses_what_it_generates_is_a_finding() {
    let report = run(&source(module(&fixture("bad/refuses-its-own.js")), Operations::Fitting), &[]).unwrap();
    assert_eq!(verdict(&report, "apply"), Verdict::Violated);
    assert_eq!(verdict(&report, "tp1"), Verdict::Unknown);
    assert_eq!(report.verdict, Verdict::Violated);
}

#[test]
fn composing_in_the_wrong_order_is_found() {
    let source = described("bad/composes-backwards.js", "bad/composes-backwards-description.js");
    let report = run(&source, &["compose"]).unwrap();
    let shown = serde_json::to_value(counterexample(&report)).unwrap();
    assert_eq!(shown["document"], json!(""));
    assert_eq!(shown["operations"], json!([[{"at": 0, "text": "x"}], [{"at": 1, "text": "x"}]]));
}

#[test]
fn clients_around_a_server_end_apart() {
    let report = run(&inserts("bad/keeps-position.js"), &["convergence"]).unwrap();
    let found = counterexample(&report);
    assert_eq!(found.case.operations.len(), 2, "three clients are shrunk to two");
    assert_eq!(found.case.clients(), 2);
}

#[test]
fn a_counterexample_can_be_given_back() {
    let source = inserts("bad/keeps-position.js");
    for law in ["tp1", "convergence"] {
        let report = run(&source, &[law]).unwrap();
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("given-{law}.json"));
        std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
        let again = check_given(&source, &path).unwrap();
        assert_eq!(again.verdict, Verdict::Violated);
        assert_eq!(counterexample(&again).violation, counterexample(&report).violation);
        assert_eq!(counterexample(&again).steps, counterexample(&report).steps);
        // The mended type passes the same case.
        let mended = check_given(&inserts("good/inserts.js"), &path).unwrap();
        assert_eq!(mended.verdict, Verdict::Holds);
    }
}

#[test]
fn cases_that_make_no_sense_cannot_be_given() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("given-nonsense.json");
    let mut errors = Vec::new();
    for case in [
        json!({"law": "tp1", "document": "", "operations": [{"at": 7, "text": "x"}, {"at": 0, "text": "x"}]}),
        json!({"law": "tp1", "document": "", "operations": []}),
        json!({"law": "tp9", "document": "", "operations": []}),
        json!({"document": ""}),
        json!({"law": "convergence", "document": "", "operations": [], "schedule": [{"move": "receive", "client": 0}]}),
    ] {
        std::fs::write(&path, case.to_string()).unwrap();
        errors.push(check_given(&inserts("good/inserts.js"), &path).unwrap_err().to_string());
    }
    let expected =
        ["not a valid operation", "about 2 operations", "no law `tp9`", "missing field `law`", "nothing to receive"];
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_report_is_the_same_whatever_the_threads_and_follows_the_seed() {
    let without_time = |report: Report| {
        let mut value = serde_json::to_value(report).unwrap();
        value["seconds"] = Value::Null;
        value
    };
    let source = inserts("bad/keeps-position.js");
    let alone = without_time(check(&source, &SMALL, &[], 1).unwrap());
    let together = without_time(check(&source, &SMALL, &[], 3).unwrap());
    assert_eq!(alone, together);

    let mut plan = SMALL;
    plan.cases = 0;
    let random = |seed| {
        let plan = colobus_ot_js::Plan { seed, ..plan };
        let report = run_with(&source, &["tp1"], &plan).unwrap();
        serde_json::to_value(&counterexample(&report).original).unwrap()
    };
    assert_eq!(random(1), random(1));
    assert_ne!(random(1), random(2));
}
