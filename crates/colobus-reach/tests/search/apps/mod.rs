//! Small applications with the truth about their lines, one file each.

pub mod dice_roller;
pub mod file_manager;
pub mod keypad;
pub mod score_keeper;
pub mod tax_calculator;
pub mod tip_calculator;
pub mod unsatisfiable;

use std::time::Duration;

use colobus_reach::concolic::{Bounds, Summarised, summarise};
use colobus_reach::fake::{App, Event, PlainPage, Statement};
use colobus_reach::priority::{PRIORITIES, Priority};
use colobus_reach::search::{Found, Limits, Outcome, Search};
use colobus_reach::summary::Summary;
use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::operator::Operator;
use colobus_reach::symbolic::value::{Kind, Value};
use colobus_solver::{Cache, Process, Program};

/// An application, and how many events the shortest way to each line takes (`None`: there is none).
pub struct Fixture {
    pub app: App,
    pub truth: Vec<(u32, Option<usize>)>,
}

pub fn z3() -> Cache<Process> {
    let process = Process::start(Program::Z3, Duration::from_secs(120)).unwrap_or_else(|error| panic!("{error}"));
    Cache::new(process.with_effort(1_500_000))
}

pub fn number(name: &str) -> Expr {
    Expr::state(name, Kind::Number)
}

pub fn flag(name: &str) -> Expr {
    Expr::state(name, Kind::Boolean)
}

pub fn text(name: &str) -> Expr {
    Expr::state(name, Kind::Text)
}

pub fn constant(value: impl Into<Value>) -> Expr {
    Expr::constant(value)
}

pub fn apply<const N: usize>(operator: Operator, operands: [&Expr; N]) -> Expr {
    Expr::apply(operator, operands.into_iter().cloned().collect())
}

pub fn assign(name: &str, value: Expr) -> Statement {
    Statement::Assign(name.into(), value)
}

pub fn when(condition: Expr, then: Vec<Statement>) -> Statement {
    Statement::If(condition, then, Vec::new())
}

pub fn go(screen: &str) -> Statement {
    Statement::Go(screen.into())
}

pub fn event(name: &str, screen: &str, handler: Vec<Statement>) -> Event {
    Event { name: name.into(), screens: vec![screen.into()], handler }
}

/// The summaries of all handlers.
pub fn summaries(app: &App, solver: &mut Cache<Process>) -> (Vec<Summary>, Summarised) {
    let mut total = Summarised::default();
    for event in &app.events {
        let mut handler = app.handler(&event.name);
        let found = summarise(&event.name, &mut handler, Bounds::default(), solver, &mut || false).unwrap();
        total.runs += found.runs;
        total.queries += found.queries;
        total.reasons.extend(found.reasons);
        total.summaries.extend(found.summaries);
    }
    (total.summaries.clone(), total)
}

pub fn search(app: &App, summaries: &[Summary], line: u32, solver: &mut Cache<Process>, limits: Limits) -> Found {
    search_with(app, summaries, line, solver, limits, PRIORITIES)
}

pub fn search_with(
    app: &App,
    summaries: &[Summary],
    line: u32,
    solver: &mut Cache<Process>,
    limits: Limits,
    priorities: &[&dyn Priority],
) -> Found {
    let model = app.model();
    let mut page = PlainPage { app };
    let search =
        Search { model: &model, summaries, solver, page: &mut page, priorities, limits, is_late: &mut || false };
    search.run(&App::line(line)).unwrap()
}

/// Search for every line, and compare with the truth.
pub fn check(name: &str, fixture: &Fixture) {
    let mut solver = z3();
    let (summaries, _) = summaries(&fixture.app, &mut solver);
    for (line, shortest) in &fixture.truth {
        let iterations = if shortest.is_some() { 400 } else { 15 };
        let found = search(&fixture.app, &summaries, *line, &mut solver, Limits { iterations, ways: 8, forward: 0 });
        match (&found.outcome, shortest) {
            (Outcome::Reached(steps), Some(shortest)) => {
                assert!(steps.len() <= shortest + 2, "{name}:{line} takes {}: {steps:?}", steps.len())
            }
            (Outcome::Reached(steps), None) => panic!("{name}:{line} cannot be reached: {steps:?}"),
            (outcome, Some(_)) => panic!("{name}:{line} is not reached: {outcome:?} {:?}", found.reasons),
            (_, None) => {}
        }
    }
}
