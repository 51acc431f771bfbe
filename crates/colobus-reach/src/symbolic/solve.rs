//! [`solve`]: values for the variables of some conditions, found by a solver and confirmed by evaluation.

use std::collections::BTreeSet;

use colobus_solver::{Answer, Model, Solver, SolverError, Term, Value as Found};

use super::distance::{is_hard, search};
use super::evaluate::Assignment;
use super::expr::{Expr, Variable};
use super::operator::Operator;
use super::translate::{nan_name, part_name, tag_name, translate};
use super::value::{Kind, Value};

/// Whether conditions can be truthy together.
#[derive(Clone, Debug, PartialEq)]
pub enum Solution {
    /// With these values; JavaScript's own arithmetic confirms them.
    Values(Assignment),
    /// Never, with numbers as reals.
    Never,
    /// Not known, and why.
    Unknown(String),
}

/// Find values for which all conditions are truthy. Conditions that share no variable are solved apart, so that a cache
/// knows what stays the same while a sequence grows.
pub fn solve(conditions: &[Expr], solver: &mut dyn Solver) -> Result<Solution, SolverError> {
    solve_with(conditions, solver, &mut |solver, terms| solver.check(terms))
}

/// The same with little effort, for questions whose answer only saves time.
pub fn solve_briefly(conditions: &[Expr], solver: &mut dyn Solver) -> Result<Solution, SolverError> {
    solve_with(conditions, solver, &mut |solver, terms| solver.check_briefly(terms))
}

/// How a solver is asked.
type Ask<'a> = dyn FnMut(&mut dyn Solver, &[Term]) -> Result<Answer, SolverError> + 'a;

fn solve_with(conditions: &[Expr], solver: &mut dyn Solver, ask: &mut Ask<'_>) -> Result<Solution, SolverError> {
    let (mut values, mut unknown) = (Assignment::new(), None);
    for group in independent(conditions) {
        match solve_group(&group, solver, ask)? {
            Solution::Never => return Ok(Solution::Never),
            Solution::Values(found) => values.extend(found),
            Solution::Unknown(reason) => unknown = Some(reason),
        }
    }
    Ok(unknown.map_or(Solution::Values(values), Solution::Unknown))
}

/// The conditions in groups that share no variable.
fn independent(conditions: &[Expr]) -> Vec<Vec<Expr>> {
    let mut groups: Vec<(BTreeSet<Variable>, Vec<Expr>)> = Vec::new();
    for condition in conditions.iter().flat_map(conjuncts) {
        let mut joined = (condition.variables(), Vec::new());
        let (touched, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(variables, _)| !variables.is_disjoint(&joined.0));
        for (variables, members) in touched {
            joined.0.extend(variables);
            joined.1.extend(members);
        }
        joined.1.push(condition);
        groups = rest;
        groups.push(joined);
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// `a && b` is truthy if both are.
fn conjuncts(condition: &Expr) -> Vec<Expr> {
    match condition {
        Expr::Apply(application) if application.0 == Operator::And => {
            application.1.iter().flat_map(conjuncts).collect()
        }
        _ => vec![condition.clone()],
    }
}

fn solve_group(conditions: &[Expr], solver: &mut dyn Solver, ask: &mut Ask<'_>) -> Result<Solution, SolverError> {
    if let Some(decided) = decided(conditions) {
        return Ok(decided);
    }
    // What solvers find hard is tried first, and asked for once.
    if conditions.iter().any(is_hard) {
        if let Some(values) = search(conditions) {
            return Ok(Solution::Values(values));
        }
        return Ok(match ask(solver, &translate(conditions).terms)? {
            Answer::Unsat => Solution::Never,
            Answer::Unknown(reason) => Solution::Unknown(reason),
            Answer::Sat(model) => confirmed(conditions, &model),
        });
    }
    match solve_by_solver(conditions, solver, ask)? {
        Solution::Unknown(reason) => Ok(search(conditions).map_or(Solution::Unknown(reason), Solution::Values)),
        known => Ok(known),
    }
}

fn solve_by_solver(conditions: &[Expr], solver: &mut dyn Solver, ask: &mut Ask<'_>) -> Result<Solution, SolverError> {
    let translation = translate(conditions);
    if !translation.easy.is_empty() {
        let easy = [&translation.terms[..], &translation.assumptions, &translation.easy].concat();
        if let Answer::Sat(model) = ask(solver, &easy)?
            && let Solution::Values(values) = confirmed(conditions, &model)
        {
            return Ok(Solution::Values(values));
        }
    }
    let wide = match ask(solver, &translation.terms)? {
        Answer::Unsat => return Ok(Solution::Never),
        Answer::Unknown(reason) => Solution::Unknown(reason),
        Answer::Sat(model) => confirmed(conditions, &model),
    };
    if matches!(wide, Solution::Values(_)) || translation.assumptions.is_empty() {
        return Ok(wide);
    }
    let exact = [translation.terms, translation.assumptions].concat();
    match ask(solver, &exact)? {
        Answer::Sat(model) => Ok(confirmed(conditions, &model)),
        Answer::Unsat => Ok(Solution::Unknown("only values that cannot be followed exactly could do it".to_owned())),
        Answer::Unknown(reason) => Ok(Solution::Unknown(reason)),
    }
}

/// The answer if all conditions are constants.
fn decided(conditions: &[Expr]) -> Option<Solution> {
    let mut all = true;
    for condition in conditions {
        match condition {
            Expr::Constant(value) if !value.is_truthy() => return Some(Solution::Never),
            Expr::Constant(_) => {}
            _ => all = false,
        }
    }
    all.then(|| Solution::Values(Assignment::new()))
}

fn confirmed(conditions: &[Expr], model: &Model) -> Solution {
    let variables: BTreeSet<Variable> = conditions.iter().flat_map(Expr::variables).collect();
    let values: Assignment = variables.into_iter().map(|variable| (variable.clone(), read(&variable, model))).collect();
    for condition in conditions {
        match condition.evaluate(&values) {
            Ok(value) if value.is_truthy() => {}
            Ok(_) => return Solution::Unknown(format!("`{condition}` is not true for the solver's values")),
            Err(error) => return Solution::Unknown(error.to_string()),
        }
    }
    Solution::Values(values)
}

/// The value of a variable in a model; one that the solver did not need has the simplest value of its type.
fn read(variable: &Variable, model: &Model) -> Value {
    let name = variable.full_name();
    let tag = match model.get(&tag_name(&name)) {
        Some(Found::Int(tag)) => usize::try_from(*tag).unwrap_or(0),
        _ => 0,
    };
    let kind = variable.kinds.iter().nth(tag).or(variable.kinds.first()).copied().unwrap_or(Kind::Undefined);
    match (kind, model.get(&part_name(&name, kind))) {
        (Kind::Undefined, _) => Value::Undefined,
        (Kind::Null, _) => Value::Null,
        (Kind::Boolean, found) => Value::Boolean(found == Some(&Found::Bool(true))),
        (Kind::Number, _) if model.get(&nan_name(&name)) == Some(&Found::Bool(true)) => Value::Number(f64::NAN),
        (Kind::Number, Some(Found::Real(number))) => Value::Number(number.to_f64()),
        (Kind::Number, _) => Value::Number(0.0),
        (Kind::Text, Some(Found::Text(text))) => Value::Text(text.clone()),
        (Kind::Text, _) => Value::text(""),
    }
}
