use super::samples::{change, document, steps};
use super::{Delta, Order, Transformer};
use crate::protocol::Range;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::process::{Command, Stdio};

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), ..ProptestConfig::with_cases(2000) })]

    /// TP1: two changes made at the same time lead to one document, whichever is applied first.
    #[test]
    fn either_order_leads_to_one_document(document in document(), one in steps(), other in steps()) {
        let (first, second) = (change(&document, &one), change(&document, &other));
        let right = Transformer::default();
        let through_first = document.compose(&first).compose(&right.transform(&second, &first, Order::Later));
        let through_second = document.compose(&second).compose(&right.transform(&first, &second, Order::Earlier));
        prop_assert_eq!(&through_first, &through_second);
        prop_assert!(through_first.is_document());
    }

    #[test]
    fn composing_is_applying_one_after_the_other(document in document(), one in steps(), other in steps()) {
        let first = change(&document, &one);
        let after_first = document.compose(&first);
        let second = change(&after_first, &other);
        prop_assert_eq!(document.compose(&first.compose(&second)), after_first.compose(&second));
        prop_assert!(second.fits(&after_first));
    }
}

#[test]
fn the_seeded_bug_loses_the_format_of_text_beside_a_deletion() {
    let typed: Delta = read(r#"[{"retain":7},{"insert":"this","attributes":{"bold":true}}]"#);
    let deleted: Delta = read(r#"[{"delete":7}]"#);
    let wrong = Transformer { loses_formatting: true };
    assert_eq!(wrong.transform(&typed, &deleted, Order::Later), read(r#"[{"insert":"this"}]"#));
    let right = Transformer::default().transform(&typed, &deleted, Order::Later);
    assert_eq!(right, read(r#"[{"insert":"this","attributes":{"bold":true}}]"#));
}

#[test]
fn a_change_that_does_not_fit_is_recognised() {
    let document: Delta = read(r#"[{"insert":"a🐒b\n"}]"#);
    let fits = |change: &str| read::<Delta>(change).fits(&document);
    assert!(fits(r#"[{"retain":3},{"insert":"x"}]"#));
    assert!(!fits(r#"[{"retain":2},{"insert":"x"}]"#), "cuts a character in two");
    assert!(!fits(r#"[{"retain":9},{"insert":"x"}]"#), "behind the end");
    assert!(!fits(r#"[{"delete":18446744073709551615},{"delete":7}]"#), "far behind the end");
    assert!(!fits(r#"[{"retain":4},{"delete":1}]"#), "deletes the last newline");
    assert!(!fits(r#"[{"insert":"x","attributes":{"bold":null}}]"#), "takes away what is not there");
}

#[test]
fn a_selection_keeps_its_text_and_a_caret_its_place() {
    let inserted: Delta = read(r#"[{"retain":2},{"insert":"xy"},{"retain":3},{"insert":"z"}]"#);
    assert_eq!(Range { anchor: 2, head: 5 }.after(&inserted), Range { anchor: 4, head: 7 });
    assert_eq!(Range { anchor: 5, head: 2 }.after(&inserted), Range { anchor: 7, head: 4 });
    assert_eq!(Range { anchor: 2, head: 2 }.after(&inserted), Range { anchor: 2, head: 2 });
    let deleted: Delta = read(r#"[{"retain":1},{"delete":9}]"#);
    assert_eq!(Range { anchor: 2, head: 5 }.after(&deleted), Range { anchor: 1, head: 1 });
}

#[derive(Serialize)]
struct Case {
    document: Delta,
    first: Delta,
    second: Delta,
    position: usize,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Answer {
    composed: Delta,
    earlier: Delta,
    later: Delta,
    wrong: Delta,
    moved: usize,
    stuck: usize,
    caret: Option<usize>,
}

/// The server's functions and the page's give the same results, asked for 3000 seeded cases in one go.
#[test]
fn server_and_page_agree() {
    let mut runner = TestRunner::deterministic();
    let strategy = (document(), steps(), steps(), 0..20_usize);
    let cases: Vec<Case> = (0..3000)
        .map(|_| {
            let (document, one, other, position) = strategy.new_tree(&mut runner).expect("a case").current();
            let (first, second) = (change(&document, &one), change(&document, &other));
            Case { document, first, second, position }
        })
        .collect();

    let answers: Vec<Answer> = read(&ask_the_page(&serde_json::to_string(&cases).expect("cases print")));
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(answers) {
        let transform =
            |loses_formatting, order| Transformer { loses_formatting }.transform(&case.second, &case.first, order);
        let ours = Answer {
            composed: case.document.compose(&case.first),
            earlier: transform(false, Order::Earlier),
            later: transform(false, Order::Later),
            wrong: transform(true, Order::Later),
            moved: case.first.moved(case.position, false),
            stuck: case.first.moved(case.position, true),
            caret: case.first.caret_behind(),
        };
        assert_eq!(ours, answer);
    }
}

fn ask_the_page(cases: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/agreement.mjs");
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs (install Node.js 20 or newer)");
    node.stdin.take().expect("a pipe").write_all(cases.as_bytes()).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "{script} failed");
    String::from_utf8(output.stdout).expect("node writes text")
}

fn read<T: for<'a> Deserialize<'a>>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}
