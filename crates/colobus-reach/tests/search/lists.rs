//! Elements that several events add to a list: one run shows the first index only.

use std::collections::BTreeMap;

use colobus_reach::fake::{App, PlainPage, Statement};
use colobus_reach::lists::taken_out;
use colobus_reach::priority::PRIORITIES;
use colobus_reach::search::{Found, Limits, Outcome, Search};
use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::operator::Operator::{Add, And, Conditional, Same};
use colobus_reach::symbolic::value::{Kind, Value};

use crate::apps::{self, apply, assign, constant, event, number, text, when};

/// Adds what was entered to a list, and checks its third element.
fn board() -> App {
    let length = number("notes.length");
    let is_long = |count: f64| apply(Same, [&length, &constant(count)]);
    let has = |index: usize, wanted: &str| apply(Same, [&text(&format!("notes[{index}]")), &constant(wanted)]);
    let element = |index: usize| {
        let name = format!("notes[{index}]");
        assign(&name, apply(Conditional, [&is_long(index as f64), &text("field"), &text(&name)]))
    };
    let mut add: Vec<Statement> = (0..4).map(element).collect();
    add.push(assign("notes.length", apply(Add, [&length, &constant(1.0)])));
    let check = vec![
        when(apply(And, [&is_long(3.0), &has(2, "old")]), vec![Statement::Line(1)]),
        when(apply(And, [&is_long(1.0), &has(2, "old")]), vec![Statement::Line(2)]),
    ];
    let start =
        vec![assign("notes.length", constant(0.0)), assign("field", constant("")), Statement::Go("main".into())];
    let enter = vec![assign("field", Expr::parameter("value", Kind::Text))];
    let events = [("start", "start", start), ("enter", "main", enter), ("add", "main", add), ("check", "main", check)];
    App { events: events.into_iter().map(|(name, screen, handler)| event(name, screen, handler)).collect() }
}

fn searched(line: u32) -> Found {
    let app = board();
    let mut solver = apps::z3();
    let (mut summaries, _) = apps::summaries(&app, &mut solver);
    // What a page tells of a run with an empty list.
    let add = summaries.iter_mut().find(|it| &*it.event == "add").unwrap();
    let length = add.writes["notes.length"].clone();
    add.writes = BTreeMap::from([("notes[0]".into(), text("field")), ("notes.length".into(), length)]);
    add.lists = taken_out(&mut add.writes, &|_| Some(Value::Number(0.0)));
    assert_eq!(add.lists.len(), 1);
    let model = app.model();
    let search = Search {
        model: &model,
        summaries: &summaries,
        solver: &mut solver,
        page: &mut PlainPage { app: &app },
        priorities: PRIORITIES,
        limits: Limits { iterations: 200, ways: 8, forward: 200 },
        is_late: &mut || false,
    };
    search.run(&App::line(line)).unwrap()
}

/// Enter it, add it three times, check.
#[test]
fn the_third_element_is_set_by_the_third_event() {
    let found = searched(1);
    let Outcome::Reached(steps) = &found.outcome else { panic!("{found:?}") };
    assert_eq!(steps.len(), 5, "{steps:?}");
}

#[test]
fn an_element_behind_the_end_is_never_there() {
    let found = searched(2);
    assert!(!matches!(found.outcome, Outcome::Reached(_)), "{found:?}");
}
