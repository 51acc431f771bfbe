//! [`solve`]: values for the variables of some conditions, found by a solver and confirmed by evaluation.

use std::collections::BTreeSet;

use colobus_solver::{Answer, Model, Solver, SolverError, Term, Text, Value as Found};

use super::distance::{is_hard, search};
use super::evaluate::Assignment;
use super::expr::{Expr, Variable};
use super::operator::Operator;
use super::translate::{Translation, nan_name, part_name, tag_name, translate};
use super::value::{Kind, Value};

/// So often a solver is asked again because the engine finds something else in the text that it chose.
const MOST_CORRECTIONS: usize = 8;

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
        let mut question = Question::new(conditions, solver, ask);
        if question.translation.findings.is_empty() {
            return question.ask(&[]);
        }
        return question.answer();
    }
    match Question::new(conditions, solver, ask).answer()? {
        Solution::Unknown(reason) => Ok(search(conditions).map_or(Solution::Unknown(reason), Solution::Values)),
        known => Ok(known),
    }
}

/// Conditions for a solver, with what was learned of the engine while it was asked.
struct Question<'a, 'b> {
    conditions: &'a [Expr],
    translation: Translation,
    solver: &'a mut dyn Solver,
    ask: &'a mut Ask<'b>,
    /// What the engine finds in texts that the solver chose, by the finding.
    corrections: Vec<((usize, Text), Term)>,
}

impl<'a, 'b> Question<'a, 'b> {
    fn new(conditions: &'a [Expr], solver: &'a mut dyn Solver, ask: &'a mut Ask<'b>) -> Self {
        Question { conditions, translation: translate(conditions), solver, ask, corrections: Vec::new() }
    }

    /// The answer, from easy questions to hard ones.
    fn answer(&mut self) -> Result<Solution, SolverError> {
        let (assumptions, easy) = (self.translation.assumptions.clone(), self.translation.easy.clone());
        if !easy.is_empty()
            && let Solution::Values(values) = self.ask(&[&assumptions[..], &easy].concat())?
        {
            return Ok(Solution::Values(values));
        }
        let wide = self.ask(&[])?;
        if !matches!(wide, Solution::Unknown(_)) || assumptions.is_empty() {
            return Ok(wide);
        }
        Ok(match self.ask(&assumptions)? {
            Solution::Never => Solution::Unknown("only values that cannot be followed exactly could do it".to_owned()),
            known => known,
        })
    }

    /// The answer to the terms with some more. Where the engine finds something else in a text, what it finds is added.
    fn ask(&mut self, more: &[Term]) -> Result<Solution, SolverError> {
        for _ in 0..MOST_CORRECTIONS {
            let learned: Vec<Term> = self.corrections.iter().map(|(_, term)| term.clone()).collect();
            let model = match (self.ask)(self.solver, &[&self.translation.terms, more, &learned].concat())? {
                Answer::Unsat => return Ok(Solution::Never),
                Answer::Unknown(reason) => return Ok(Solution::Unknown(reason)),
                Answer::Sat(model) => model,
            };
            let refuted = confirmed(self.conditions, &model);
            if matches!(refuted, Solution::Values(_)) || !self.learn(&model) {
                return Ok(refuted);
            }
        }
        Ok(Solution::Unknown("the engine finds something else in the texts that the solver chose".to_owned()))
    }

    /// Whether something is learned from values that are refuted.
    fn learn(&mut self, model: &Model) -> bool {
        let (values, before) = (values(self.conditions, model), self.corrections.len());
        for (at, finding) in self.translation.findings.iter().enumerate() {
            if let Some((content, term)) = finding.correction(&values)
                && !self.corrections.iter().any(|(known, _)| *known == (at, content.clone()))
            {
                self.corrections.push(((at, content), term));
            }
        }
        self.corrections.len() > before
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

fn values(conditions: &[Expr], model: &Model) -> Assignment {
    let variables: BTreeSet<Variable> = conditions.iter().flat_map(Expr::variables).collect();
    variables.into_iter().map(|variable| (variable.clone(), read(&variable, model))).collect()
}

fn confirmed(conditions: &[Expr], model: &Model) -> Solution {
    let values = values(conditions, model);
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
