//! The npm packages with a built-in description, in small; `make test` installs them.

use colobus_ot_js::{Found, Plan, Report, Verdict, check, check_given};
use serde_json::json;

use crate::support;
use crate::support::{package, run_with};

/// Seconds for all of them in the dev profile; `colobus ot check --js` goes much further.
const SMALL: Plan = Plan { cases: 120, random: 10, ..support::SMALL };

fn claimed_laws_hold(name: &str) -> Report {
    let report = check(&package(name), &SMALL, &[], 2).unwrap();
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
    report
}

#[test]
fn ot_text_holds() {
    claimed_laws_hold("ot-text");
}

#[test]
fn ot_text_does_not_satisfy_tp2_which_counts_only_if_asked_for() {
    let plan = Plan { cases: 2_000, random: 0, ..SMALL };
    let report = run_with(&package("ot-text"), &["tp2"], &plan).unwrap();
    assert_eq!(report.verdict, Verdict::Violated, "{report}");
}

#[test]
fn ot_text_unicode_holds() {
    claimed_laws_hold("ot-text-unicode");
}

#[test]
fn ot_json1_holds() {
    claimed_laws_hold("ot-json1");
}

#[test]
fn rich_text_holds() {
    claimed_laws_hold("rich-text");
}

#[test]
fn quill_delta_holds() {
    let report = claimed_laws_hold("quill-delta");
    assert_eq!(report.r#type, "rich-text");
}

#[test]
fn ot_text_tp2_holds_and_claims_tp2() {
    let report = claimed_laws_hold("ot-text-tp2");
    let tp2 = report.laws.iter().find(|law| law.law == "tp2").unwrap();
    assert_eq!((tp2.claimed, tp2.verdict), (true, Verdict::Holds));
}

/// ot-json0 1.1.0 does not transform `si` and `sd` over the subtype text0, nor the other way round.
#[test]
fn the_known_violation_of_ot_json0_is_found_and_shrunk() {
    let known = json!([[{"p": [0, 1], "si": "x"}], [{"p": [0], "t": "text0", "o": [{"p": 0, "i": "q"}]}]]);
    let known_size = r#"["a"]"#.len() + known.to_string().len() - 3;
    for plan in [Plan { cases: 20_000, random: 0, ..SMALL }, Plan { cases: 0, random: 500, ..SMALL }] {
        let mut source = package("ot-json0");
        source.size = 1;
        let report = run_with(&source, &["tp1"], &plan).unwrap();
        let found = report.counterexample.expect("the violation");
        assert_eq!(found.found, if plan.cases > 0 { Found::Exhaustive } else { Found::Random });
        let text = serde_json::to_string(&found.case.operations).unwrap();
        assert!(text.contains("text0") && (text.contains("\"si\"") || text.contains("\"sd\"")), "{text}");
        assert!(found.case.size().1 <= known_size, "{:?}", found.case);
    }
}

#[test]
fn the_known_violation_as_published_is_one() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("json0.json");
    let case = json!({
        "law": "tp1",
        "document": ["a"],
        "operations": [[{"p": [0, 1], "si": "x"}], [{"p": [0], "t": "text0", "o": [{"p": 0, "i": "q"}]}]],
    });
    std::fs::write(&path, case.to_string()).unwrap();
    let report = check_given(&package("ot-json0"), &path).unwrap();
    let shown = serde_json::to_value(&report.counterexample).unwrap();
    assert_eq!((&shown["left"]["document"], &shown["right"]["document"]), (&json!(["qax"]), &json!(["qxa"])));
}

#[test]
fn without_text0_ot_json0_holds() {
    let mut source = package("ot-json0");
    source.exclude = vec!["text0".to_owned()];
    let report = check(&source, &SMALL, &[], 2).unwrap();
    assert_eq!(report.verdict, Verdict::Holds, "{report}");
}

#[test]
fn descriptions_offer_these_many_operations() {
    let counts = [
        ("ot-text", 52),
        ("ot-text-unicode", 91),
        ("ot-text-tp2", 199),
        ("rich-text", 101),
        ("ot-json0", 569),
        ("ot-json1", 562),
    ];
    for (name, operations) in counts {
        let report = run_with(&package(name), &["apply"], &Plan { cases: 10_000, random: 0, ..SMALL }).unwrap();
        assert_eq!((report.laws[0].cases, report.laws[0].complete), (operations, true), "{name}");
    }
}
