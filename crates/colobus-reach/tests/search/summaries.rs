//! Concolic execution of handlers that behave badly, and its bounds.

use std::collections::BTreeSet;

use colobus_reach::concolic::{Bounds, Handler, HandlerError, Run, Summarised, summarise};
use colobus_reach::fake::{App, Statement};
use colobus_reach::symbolic::evaluate::Assignment;
use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::operator::Operator::{Add, Greater, Same};
use colobus_reach::symbolic::value::Kind;

use crate::apps::{apply, assign, constant, event, flag, number, when, z3};

fn summarised(handler: Vec<Statement>, bounds: Bounds) -> Summarised {
    let app = App { events: vec![event("click", "main", handler)] };
    summarise("click", &mut app.handler("click"), bounds, &mut z3(), &mut || false).unwrap()
}

#[test]
fn a_handler_that_throws_or_hangs_gives_summaries_and_reasons() {
    let count = number("count");
    let found = summarised(
        vec![
            when(apply(Same, [&count, &constant(7.0)]), vec![Statement::Throw]),
            when(apply(Greater, [&count, &constant(9.0)]), vec![Statement::Line(1), Statement::Hang]),
            assign("count", constant(0.0)),
        ],
        Bounds::default(),
    );
    assert_eq!(found.summaries.len(), 3);
    assert_eq!((found.runs, found.queries), (3, 2));
    assert!(found.reasons.iter().any(|reason| reason.contains("it threw an exception")), "{:?}", found.reasons);
    assert!(found.reasons.iter().any(|reason| reason.contains("it runs for ever")), "{:?}", found.reasons);
    let throws = found.summaries.iter().find(|summary| summary.condition.len() == 1).unwrap();
    assert!(throws.writes.is_empty() && throws.log.is_empty());
}

/// 2^6 paths of which eight are kept.
#[test]
fn paths_are_bounded() {
    let branch = |index: u32| {
        let digit = number(&format!("x{index}"));
        when(apply(Greater, [&digit, &constant(0.0)]), vec![Statement::Line(index)])
    };
    let handler: Vec<Statement> = (1..=6).map(branch).collect();
    let all = summarised(handler.clone(), Bounds { paths: 65, runs: 256, combinations: 64 });
    assert_eq!((all.summaries.len(), all.runs), (64, 64));
    assert!(all.reasons.is_empty(), "{:?}", all.reasons);
    let some = summarised(handler, Bounds { paths: 8, runs: 256, combinations: 64 });
    assert_eq!(some.summaries.len(), 8);
    assert!(some.reasons[0].contains("branches left to try"), "{:?}", some.reasons);
}

/// Six conditions that have nothing to do with each other: both sides of each are run, and not all combinations.
#[test]
fn conditions_that_make_no_difference_to_each_other_are_not_combined() {
    let branch = |index: u32| {
        let digit = number(&format!("x{index}"));
        when(apply(Greater, [&digit, &constant(0.0)]), vec![Statement::Line(index)])
    };
    let mut handler: Vec<Statement> = (1..=6).map(branch).collect();
    handler.push(assign("total", apply(Add, [&number("total"), &constant(1.0)])));
    let found = summarised(handler, Bounds { combinations: 0, ..Bounds::default() });
    assert_eq!((found.summaries.len(), found.runs), (7, 7));
    assert!(found.reasons[0].contains("combinations"), "{:?}", found.reasons);
    for line in 1..=6 {
        let executing: Vec<_> = found.summaries.iter().filter_map(|it| it.condition_for(&App::line(line))).collect();
        assert_eq!(executing.len(), 1);
        let needed: Vec<String> = executing[0].iter().map(ToString::to_string).collect();
        assert_eq!(needed, [format!("x{line} > 0")]);
    }
    for summary in &found.summaries {
        assert_eq!((summary.condition.len(), summary.needed().count()), (6, 0), "{summary}");
    }
}

/// The second line stands behind a condition that matters only on one side of the first.
#[test]
fn conditions_that_decide_are_kept() {
    let (count, on) = (number("count"), flag("on"));
    let inner =
        when(apply(Greater, [&count, &constant(5.0)]), vec![Statement::Line(2), assign("count", constant(0.0))]);
    let found = summarised(vec![Statement::Line(1), when(on, vec![inner]), Statement::Line(3)], Bounds::default());
    assert_eq!(found.summaries.len(), 3);
    let needed = |line: u32| -> BTreeSet<String> {
        let of_line = found.summaries.iter().filter_map(|it| it.condition_for(&App::line(line)));
        of_line.map(|parts| parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")).collect()
    };
    assert_eq!(needed(1), ["".to_owned()].into());
    assert_eq!(needed(2), ["on and count > 5".to_owned()].into());
    assert!(needed(3).contains(""), "{:?}", needed(3));
    let writing = found.summaries.iter().find(|it| !it.writes.is_empty()).unwrap();
    assert_eq!(writing.needed().count(), 2, "{writing}");
}

#[test]
fn time_ends_it() {
    let app = App { events: vec![event("click", "main", vec![Statement::Line(1)])] };
    let found = summarise("click", &mut app.handler("click"), Bounds::default(), &mut z3(), &mut || true).unwrap();
    assert_eq!((found.runs, found.summaries.len(), found.reasons.len()), (0, 0, 1));
}

/// A handler that ignores the state it is given.
struct Stubborn;

impl Handler for Stubborn {
    fn run(&mut self, _: &Assignment) -> Result<Run, HandlerError> {
        let positive = apply(Greater, [&number("count"), &constant(0.0)]);
        Ok(Run { branches: vec![positive], ..Run::default() })
    }
}

#[test]
fn a_run_that_takes_another_path_is_said() {
    let found = summarise("click", &mut Stubborn, Bounds::default(), &mut z3(), &mut || false).unwrap();
    assert_eq!(found.summaries.len(), 1);
    assert!(found.reasons[0].contains("another path"), "{:?}", found.reasons);
}

#[test]
fn a_parameter_that_is_compared_is_found() {
    let typed = Expr::parameter("typed", Kind::Text);
    let found = summarised(
        vec![when(apply(Same, [&typed, &constant("open sesame")]), vec![Statement::Line(1)])],
        Bounds::default(),
    );
    let opened = found.summaries.iter().find(|summary| summary.log.contains_key(&App::line(1)));
    assert_eq!(opened.map(ToString::to_string).as_deref(), Some("click/2 if typed === \"open sesame\" then nothing"));
}
