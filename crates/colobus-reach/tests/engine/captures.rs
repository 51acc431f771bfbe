//! Conditions on what regular expressions capture: the solver's answers, and what the engine says of them.

use std::time::Duration;

use colobus_reach::symbolic::evaluate::Assignment;
use colobus_reach::symbolic::expr::Expr;
use colobus_reach::symbolic::operator::Operator;
use colobus_reach::symbolic::pattern::Pattern;
use colobus_reach::symbolic::solve::{Solution, solve};
use colobus_reach::symbolic::value::{Kind, Value};
use colobus_solver::{Answer, Process, Program, Solver, SolverError, Term};

use crate::in_node;

fn solver() -> impl Solver {
    Process::start(Program::Z3, Duration::from_secs(120))
        .unwrap_or_else(|error| panic!("{error}"))
        .with_effort(3_000_000)
}

fn text() -> Expr {
    Expr::state("text", Kind::Text)
}

fn group(source: &str, number: usize) -> Expr {
    Expr::unary(Operator::Capture(Pattern::new(source, "").unwrap(), number), &text())
}

fn is(expr: &Expr, value: &str) -> Expr {
    expr.binary(Operator::Same, &Expr::constant(value))
}

fn above(expr: &Expr, value: f64) -> Expr {
    Expr::unary(Operator::ToNumber, expr).binary(Operator::Greater, &Expr::constant(value))
}

fn missing(expr: &Expr) -> Expr {
    expr.binary(Operator::Same, &Expr::Constant(Value::Undefined))
}

/// What the engine makes of conditions with the values that were found.
fn hold_in_node(conditions: &[Expr], values: &Assignment) -> bool {
    let filled = |condition: &Expr| {
        condition.substitute(&|variable| values.get(variable).cloned().map(Expr::Constant)).to_string()
    };
    let literal = Expr::Constant(values.values().next().cloned().unwrap_or(Value::Undefined)).to_string();
    let sources: Vec<String> = conditions.iter().map(|it| it.to_string().replace("text", &literal)).collect();
    assert!(conditions.iter().all(|condition| filled(condition) == "true"));
    in_node(&sources).iter().all(|said| said == "boolean true")
}

fn found(conditions: &[Expr]) -> String {
    match solve(conditions, &mut solver()).unwrap() {
        Solution::Values(values) => {
            assert!(hold_in_node(conditions, &values), "{values:?}");
            values.values().next().unwrap().to_text().to_string()
        }
        other => panic!("{other:?} for {}", conditions.iter().map(Expr::to_string).collect::<Vec<_>>().join(" and ")),
    }
}

#[test]
fn texts_are_found_for_what_groups_capture() {
    let code = "^(\\d+)-(\\w+)$";
    assert_eq!(found(&[is(&group(code, 1), "42"), is(&group(code, 2), "x")]), "42-x");
    found(&[above(&group(code, 1), 40.0), above(&group(code, 1), 50.0).negated(), is(&group(code, 2), "vip")]);
    let price = "(\\d+)(?:\\.(\\d\\d))? (EUR|USD)";
    found(&[is(&group(price, 3), "USD"), missing(&group(price, 2)), above(&group(price, 1), 99.0)]);
    found(&[is(&group(price, 2), "50"), is(&group(price, 1), "7")]);
    found(&[
        is(&group("^(?:(a)|(b))+$", 1), "a"),
        Expr::unary(Operator::Length, &text()).binary(Operator::Equal, &Expr::constant(3.0)),
    ]);
    found(&[is(&group("^([^=]*)=(.*)$", 2), "a=b"), is(&group("^([^=]*)=(.*)$", 1), "k")]);
}

/// What groups take first is not in the terms: the engine corrects the solver.
#[test]
fn a_greedy_group_takes_what_it_can() {
    let both = "^(.*)-(.*)$";
    let dash = Expr::unary(Operator::Length, &group(both, 1)).binary(Operator::Equal, &Expr::constant(3.0));
    found(&[dash.clone(), is(&group(both, 2), "")]);
    found(&[is(&group("^(a*)(a*)b?(a*)$", 3), "a"), is(&group("^(a*)(a*)b?(a*)$", 2), "")]);
    let lazy = "^(.+?),(.*)$";
    found(&[is(&group(lazy, 2), "x,y")]);
    let index = Expr::unary(Operator::Search(Pattern::new("\\d+", "").unwrap()), &text());
    found(&[index.binary(Operator::Equal, &Expr::constant(2.0)), is(&group("\\d+", 0), "17")]);
}

#[test]
fn what_no_text_captures_is_never_found() {
    let mut solver = solver();
    let never = |conditions: &[Expr], solver: &mut dyn Solver| solve(conditions, solver).unwrap();
    let code = "^(\\d+)-(\\w+)$";
    assert_eq!(never(&[is(&group(code, 1), "4x")], &mut solver), Solution::Never);
    assert_eq!(never(&[missing(&group(code, 2))], &mut solver), Solution::Never);
    assert_eq!(
        never(&[is(&group("(\\w+)|-", 1), "a"), text().binary(Operator::Same, &Expr::constant("-a"))], &mut solver),
        Solution::Never
    );
    // The first group takes all: there is no end to the texts that the solver could try.
    let taken = never(&[is(&group("^(a*)(a*)$", 2), "a")], &mut solver);
    assert!(!matches!(taken, Solution::Values(_)), "{taken:?}");
}

#[test]
fn parts_between_matches_are_found() {
    let part = |source: &str, at| Expr::unary(Operator::SplitBy(Pattern::new(source, "").unwrap(), at), &text());
    let count = |source: &str| Expr::unary(Operator::SplitByLength(Pattern::new(source, "").unwrap()), &text());
    found(&[is(&part("[,;]", 0), "a"), is(&part("[,;]", 1), "b"), missing(&part("[,;]", 2))]);
    found(&[is(&part("\\s+", 1), "to"), above(&part("\\s+", 2), 3.0)]);
    found(&[count("\\s+").binary(Operator::Equal, &Expr::constant(3.0)), is(&part("\\s+", 0), "x")]);
    found(&[is(&part("\\s*,\\s*", 1), "b"), is(&part("\\s*,\\s*", 0), "a")]);
}

/// Answers with the first values that fit, as a solver may.
struct Counting<S>(S, usize);

impl<S: Solver> Solver for Counting<S> {
    fn check(&mut self, terms: &[Term]) -> Result<Answer, SolverError> {
        self.1 += 1;
        self.0.check(terms)
    }
}

#[test]
fn a_solver_is_not_asked_without_end() {
    let mut solver = Counting(solver(), 0);
    let condition = is(&group("^(a*)(a*)$", 2), "a");
    solve(&[condition], &mut solver).unwrap();
    assert!(solver.1 <= 20, "{}", solver.1);
}
