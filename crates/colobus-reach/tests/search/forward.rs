//! The search from the start finds what the solver leaves open.

use colobus_reach::fake::{App, PlainPage, Statement};
use colobus_reach::priority::PRIORITIES;
use colobus_reach::search::{Found, Limits, Outcome, Search};
use colobus_reach::symbolic::operator::Operator::{Add, Equal, Multiply, Remainder, Same};

use crate::apps::{self, apply, assign, constant, event, number, when};

/// A die that rolls by arithmetic: the same number twice in a row is rare.
fn die() -> App {
    let (seed, last) = (number("seed"), number("last"));
    let next =
        apply(Remainder, [&apply(Add, [&apply(Multiply, [&seed, &constant(5.0)]), &constant(3.0)]), &constant(16.0)]);
    let value = apply(Remainder, [&seed, &constant(7.0)]);
    let is_pair = apply(Equal, [&value, &last]);
    let roll = vec![
        assign("seed", next),
        when(is_pair, vec![Statement::Line(1)]),
        when(apply(Same, [&value, &constant(9.0)]), vec![Statement::Line(2)]),
        assign("last", value),
    ];
    let start = vec![assign("seed", constant(1.0)), assign("last", constant(0.0)), Statement::Go("main".into())];
    App { events: vec![event("start", "start", start), event("roll", "main", roll)] }
}

fn searched(line: u32, limits: Limits) -> Found {
    let app = die();
    let mut solver = apps::z3();
    let (summaries, _) = apps::summaries(&app, &mut solver);
    let model = app.model();
    let search = Search {
        model: &model,
        summaries: &summaries,
        solver: &mut solver,
        page: &mut PlainPage { app: &app },
        priorities: PRIORITIES,
        limits,
        is_late: &mut || false,
    };
    search.run(&App::line(line)).unwrap()
}

/// From seed 1 the values are 1, 4, 3, 5, 5: five rolls.
#[test]
fn a_sequence_that_depends_on_remainders_is_found() {
    let found = searched(1, Limits { iterations: 12, ways: 4, forward: 200 });
    let Outcome::Reached(steps) = &found.outcome else { panic!("{found:?}") };
    assert_eq!(steps.len(), 5, "{steps:?}");
}

#[test]
fn what_no_sequence_reaches_is_not_reached() {
    let found = searched(2, Limits { iterations: 12, ways: 4, forward: 200 });
    assert!(!matches!(found.outcome, Outcome::Reached(_)), "{found:?}");
}
