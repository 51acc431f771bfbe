use super::*;
use crate::conflicts::ConflictReason as Why;
use crate::model::{EventKind, Executed, FinalState, PageEvent, Request};

fn execution(kinds: &[(&str, EventKind)], dom: &str) -> Execution {
    let ran = kinds.iter().map(|(name, kind)| Executed {
        event: PageEvent::new(*name, kind.clone()),
        planned: true,
        at: 0,
        accesses: Vec::new(),
        touched: None,
        disables: Vec::new(),
        opaque: None,
    });
    let outcome = FinalState { dom: dom.into(), ..FinalState::default() };
    Execution { ran: ran.collect(), outcome, ..Execution::default() }
}

fn reversal() -> Reversal {
    Reversal { first: "a".into(), second: "b".into(), with: vec![], cause: Why::Opaque { reason: "eval".into() } }
}

fn outcome(parent: &Execution, child: &Execution) -> Outcome {
    Judge::default().judge(parent, child, &reversal()).outcome
}

#[test]
fn a_new_timer_alone_does_not_excuse_a_difference() {
    let parent = execution(&[], "a");
    let child = execution(&[("t", EventKind::Timer)], "b");
    assert_eq!(outcome(&parent, &child), Outcome::Harmful(vec![Harm::Page]));
    assert_eq!(outcome(&parent, &execution(&[("t", EventKind::Timer)], "a")), Outcome::Harmless);
}

#[test]
fn what_happens_on_the_way_out_is_harmless() {
    let parent = execution(&[("a", EventKind::Unload), ("b", EventKind::Timer)], "a");
    let child = execution(&[("b", EventKind::Timer), ("a", EventKind::Unload)], "b");
    let judgement = Judge::default().judge(&parent, &child, &reversal());
    assert_eq!((judgement.outcome, judgement.labels[0].filter.as_str()), (Outcome::Harmless, "unload"));
}

#[test]
fn orders_of_class_names_are_no_difference_and_pictures_are() {
    let (parent, child) = (execution(&[], r#"<p class="a b">"#), execution(&[], r#"<p class="b a">"#));
    assert_eq!(outcome(&parent, &child), Outcome::Harmless);
    let pictured = |dom: &str, screenshot| {
        let mut execution = execution(&[], dom);
        execution.outcome.screenshot = Some(screenshot);
        execution
    };
    assert_eq!(outcome(&pictured("a", 1), &pictured("a", 2)), Outcome::Harmful(vec![Harm::Page]));
}

#[test]
fn a_request_that_changes_something_is_counted() {
    let sent = |method: &str, times: u32| {
        let mut execution = execution(&[], "");
        execution.outcome.requests.insert(Request { method: method.into(), address: "/x".into(), body: 0 }, times);
        execution
    };
    assert_eq!(outcome(&sent("POST", 1), &sent("POST", 2)), Outcome::Harmful(vec![Harm::Requests]));
    assert_eq!(outcome(&sent("GET", 1), &sent("GET", 2)), Outcome::Harmless, "polling");
}

#[test]
fn lines_in_another_order_are_a_difference() {
    let (parent, child) = (execution(&[], "a\nb\n"), execution(&[], "b\na\n"));
    assert_eq!(outcome(&parent, &child), Outcome::Harmful(vec![Harm::Page]));
}

#[test]
fn findings_of_one_pair_of_positions_are_one() {
    let named = |first: &str, second: &str| Reversal { first: first.into(), second: second.into(), ..reversal() };
    let groups =
        group(&[named("A:click 1", "A<img:a.png"), named("A<img:a.png", "A:click 2"), named("A:load", "A:click 1")]);
    let members: Vec<Vec<usize>> = groups.into_iter().map(|(_, members)| members).collect();
    assert_eq!(members, [vec![0, 1], vec![2]]);
}

#[test]
fn an_invariant_that_an_order_breaks_is_harmful_whatever_filters_say() {
    let broken = |mut execution: Execution, names: &[&str]| {
        execution.outcome.broken_invariants = names.iter().map(ToString::to_string).collect();
        execution
    };
    let leaving = || execution(&[("a", EventKind::Unload), ("b", EventKind::Timer)], "a");
    let (holds, breaks) = (leaving(), broken(leaving(), &["the total is right"]));
    assert_eq!(outcome(&holds, &breaks), Outcome::Harmful(vec![Harm::Assertion]));
    assert_eq!(outcome(&breaks, &breaks), Outcome::Harmless);
    // The other way round the filter explains it, as it does exceptions.
    assert_eq!(outcome(&breaks, &holds), Outcome::Harmless);
}

#[test]
fn differences_of_one_kind_are_the_same_only_if_they_share_something() {
    let between = |before: &str, after: &str| {
        Differences::between(&execution(&[], before).outcome, &execution(&[], after).outcome)
    };
    let seen = between("<p>a</p>\n<p>b</p>", "<p>a</p>\n<p>c</p>");
    let page = &[Harm::Page];
    assert!(seen.shares(&seen, page));
    assert!(seen.shares(&between("<p>b</p>", "<p>d</p>"), page), "the same line is gone");
    assert!(!seen.shares(&between("<p>c</p>", "<p>b</p>"), page), "the other way round");
    assert!(!seen.shares(&between("<p>x</p>", "<p>y</p>"), page));
    assert!(!seen.shares(&seen, &[Harm::Exceptions]), "no exception differs");
    let reordered = between("a\nb\n", "b\na\n");
    assert!(reordered.shares(&reordered, page));
    assert!(!reordered.shares(&between("a\nc\n", "c\na\n"), page), "other lines in another order");
}
