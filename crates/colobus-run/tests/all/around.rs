//! Searches around an order that was recorded, in a fake world, with exact counts.

use std::path::Path;

use colobus_model::{Action, Report, Step};
use colobus_run::{Around, FaultKinds, Orders, RunConfig, check};
use colobus_world::fake::{FakeBug, FakeFactory};

use crate::fake_app::{action, config};

fn texts(texts: &[&str]) -> Vec<Step> {
    texts.iter().map(|text| Step::Type(text.to_string())).collect()
}

/// Two users took their steps in this order.
fn recorded(out: &Path, actions: Vec<Action>, order: &str, bound: Option<usize>) -> RunConfig {
    let around = Around { source: "two.rec".into(), order: order.parse().unwrap() };
    let orders = Orders { limit: 64, bound, ..Orders::default() };
    RunConfig { naive: true, around: Some(around), orders, clients: actions.len(), ..config(out, actions, 1) }
}

fn search(bugs: &[FakeBug], actions: Vec<Action>, order: &str, bound: Option<usize>) -> Report {
    let out = tempfile::tempdir().unwrap();
    check(&recorded(out.path(), actions, order, bound), &FakeFactory::with_bugs(bugs), &mut |_| {}).unwrap()
}

fn two() -> Vec<Action> {
    vec![action("A in two", texts(&["a", "c"])), action("B in two", texts(&["b"]))]
}

#[test]
fn what_the_recorded_order_does_not_show_is_found_next_to_it() {
    let order = "A1 B1 A2";
    let bugs = &[FakeBug::InsertOrder];
    let recorded_alone = search(bugs, two(), order, Some(0));
    assert_eq!((recorded_alone.counts.findings, recorded_alone.counts.executions), (0, 2));

    let near = search(bugs, two(), order, Some(1));
    assert_eq!((near.counts.interactions.ran(), near.counts.findings), (1, 1), "{:#?}", near.findings);
    let finding = &near.findings[0];
    assert_eq!(finding.interaction().unwrap().concurrent, ["A in two[1]", "B in two"]);
    assert_eq!(finding.interaction().unwrap().schedule.to_string(), "A1 B1 A> B> A< B< A< B<");
    assert_eq!((finding.reproduced, finding.attempts), (4, 4));
    assert_eq!(near.around.as_deref(), Some("two.rec"));

    let correct: Vec<usize> = [0, 1, 2].map(|bound| search(&[], two(), order, Some(bound)).counts.executions).to_vec();
    assert_eq!(correct, [2, 4, 8], "the recorded order twice, then everything within one reversal, within two");
}

#[test]
fn without_a_bound_turns_are_taken_at_the_same_time_first() {
    let report = search(&[FakeBug::InsertOrder], two(), "A1 B1 A2", None);
    assert_eq!((report.counts.executions, report.counts.findings), (2, 1));
    assert_eq!(report.findings[0].interaction().unwrap().line, "(A in two[1] || B in two) : A1 B1 A> B> A< B< A< B<");
}

#[test]
fn an_order_that_is_not_possible_does_not_end_the_search() {
    let waits = |bugs| {
        let sees = Step::WaitFor("a".into());
        let second = action("B in two", [vec![sees], texts(&["b"])].concat());
        search(bugs, vec![action("A in two", texts(&["a", "c"])), second], "A1 B1 B2 A2", Some(2))
    };
    let correct = waits(&[]);
    assert_eq!(
        (correct.counts.findings, correct.counts.interactions.unknown, correct.counts.interactions.not_applicable),
        (0, 0, 0)
    );
    assert_eq!(correct.counts.executions, 7);
    let bug = &[FakeBug::InsertOrderBetweenAcknowledgements];
    assert_eq!(waits(bug).counts.findings, 1, "B's text reaches A when A has already sent another");
}

#[test]
fn what_cannot_be_done_as_it_was_recorded_is_no_pass() {
    let nowhere = action("B in two", vec![Step::WaitFor("x".into()), Step::Type("b".into())]);
    let report = search(&[], vec![action("A in two", texts(&["a"])), nowhere], "A1 B1 B2", Some(1));
    assert_eq!((report.counts.executions, report.counts.interactions.unknown), (1, 1));
    let reason = &report.unknown[0].reason;
    assert!(reason.starts_with("it cannot be done as it was recorded: B in two: "), "{reason}");
}

#[test]
fn faults_are_tried_in_the_recorded_order() {
    let out = tempfile::tempdir().unwrap();
    let mut config = recorded(out.path(), two(), "A1 B1 A2", None);
    config.orders.faults = FaultKinds::all();
    let report = check(&config, &FakeFactory::with_bugs(&[FakeBug::AppliesRetriesAgain]), &mut |_| {}).unwrap();
    assert_eq!(report.counts.findings, 1, "{:#?}", report.unknown);
    assert!(
        report.findings[0].interaction().unwrap().schedule.to_string().contains("..."),
        "{}",
        report.findings[0].interaction().unwrap().schedule
    );
}
