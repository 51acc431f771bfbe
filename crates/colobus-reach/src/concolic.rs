//! [`summarise`]: the paths of a handler, by concolic execution. Runs the handler, negates the last branch that was not
//! tried, solves, sets the state, runs again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use colobus_solver::{Solver, SolverError};

use crate::line::Line;
use crate::summary::Summary;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source};
use crate::symbolic::solve::{Solution, solve};

/// One execution of a handler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The conditions of its branches in terms of state and parameters, as they were taken: each was truthy.
    pub branches: Vec<Expr>,
    /// What a user can enter, as conditions on the parameters.
    pub domain: Vec<Expr>,
    /// What it wrote.
    pub writes: BTreeMap<Arc<str>, Expr>,
    /// The lines it executed, and how many branches it had taken when it first did.
    pub log: BTreeMap<Line, usize>,
    /// What was followed with concrete values only; a summary of this run may be wrong elsewhere.
    pub concrete: Vec<String>,
    /// Why it did not come to its end: an exception, too many steps.
    pub aborted: Option<String>,
}

/// The handler could not be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the handler of `{event}` could not be run: {reason}")]
pub struct HandlerError {
    /// The event.
    pub event: String,
    /// What happened.
    pub reason: String,
}

/// Runs a handler in a chosen state.
pub trait Handler {
    /// Set the state and the parameters (what is not given keeps its value), run, and restore everything.
    fn run(&mut self, before: &Assignment) -> Result<Run, HandlerError>;
}

/// How much is done for one handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Paths that are kept.
    pub paths: usize,
    /// Runs that are made.
    pub runs: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { paths: 64, runs: 256 }
    }
}

/// Why a handler could not be summarised.
#[derive(Debug, thiserror::Error)]
pub enum SummariseError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The handler failed.
    #[error(transparent)]
    Handler(#[from] HandlerError),
}

/// The summaries of a handler, and what is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summarised {
    /// One for each path.
    pub summaries: Vec<Summary>,
    /// Runs that were made.
    pub runs: usize,
    /// Questions to the solver.
    pub queries: usize,
    /// Why there may be more paths, or why a path may be described wrongly.
    pub reasons: Vec<String>,
}

/// Find the paths of the handler of an event. `is_late` says when time is up.
pub fn summarise(
    event: &str,
    handler: &mut dyn Handler,
    bounds: Bounds,
    solver: &mut dyn Solver,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<Summarised, SummariseError> {
    let mut result = Summarised::default();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut tried: BTreeSet<String> = BTreeSet::new();
    // Conditions that held in some run, alone and after another.
    let mut met: BTreeSet<String> = BTreeSet::new();
    // Prefixes of paths whose last branch is negated.
    let mut pending: Vec<Vec<Expr>> = vec![Vec::new()];
    let mut domain: Vec<Expr> = Vec::new();
    while let Some(prefix) = next(&mut pending, &met) {
        if is_late() || result.runs == bounds.runs || result.summaries.len() == bounds.paths {
            result.reasons.push(format!("stopped after {} runs with branches left to try", result.runs));
            break;
        }
        let before = if prefix.is_empty() {
            Assignment::new()
        } else {
            result.queries += 1;
            match solve(&[&prefix[..], &domain].concat(), solver)? {
                Solution::Values(values) => values,
                Solution::Never => continue,
                Solution::Unknown(reason) => {
                    result
                        .reasons
                        .push(format!("whether a path is possible is not known: {}: {reason}", path(&prefix)));
                    continue;
                }
            }
        };
        result.runs += 1;
        let run = handler.run(&before)?;
        domain = run.domain.clone();
        if !run.branches.starts_with(&prefix) {
            result.reasons.push(format!("a run took another path than its values ask for: {}", path(&prefix)));
        }
        met.extend(run.branches.iter().map(Expr::to_string));
        met.extend(run.branches.windows(2).map(path));
        for (index, branch) in run.branches.iter().enumerate() {
            let mut other = run.branches[..index].to_vec();
            tried.insert(path(&run.branches[..=index]));
            other.push(branch.negated());
            if tried.insert(path(&other)) {
                pending.push(other);
            }
        }
        if known.insert(path(&run.branches)) {
            keep(event, run, &mut result);
        }
    }
    Ok(result)
}

/// The prefix to try next: the last one that ends with a condition which never held, so that every side of every branch is seen
/// before combinations are; then one whose last condition never held after the one before it; then the last one.
fn next(pending: &mut Vec<Vec<Expr>>, met: &BTreeSet<String>) -> Option<Vec<Expr>> {
    let ends_newly = |count: usize| {
        move |prefix: &Vec<Expr>| {
            let from = prefix.len().saturating_sub(count);
            prefix.len() >= count && !met.contains(&path(&prefix[from..]))
        }
    };
    let at = pending.iter().rposition(ends_newly(1)).or_else(|| pending.iter().rposition(ends_newly(2)));
    match at {
        Some(at) => Some(pending.remove(at)),
        None => pending.pop(),
    }
}

fn keep(event: &str, run: Run, result: &mut Summarised) {
    let name: Arc<str> = format!("{event}/{}", result.summaries.len() + 1).into();
    let (summary, reasons) = run.summary(event, name);
    result.reasons.extend(reasons);
    result.summaries.push(summary);
}

impl Run {
    /// Its path as a summary, and what that does not say.
    pub fn summary(self, event: &str, name: Arc<str>) -> (Summary, Vec<String>) {
        let concrete = self.concrete.iter().map(|what| format!("{name}: {what} was followed concretely"));
        let aborted = self.aborted.iter().map(|why| format!("{name} did not come to its end: {why}"));
        let reasons = concrete.chain(aborted).collect();
        let keeps_value = |name: &Arc<str>, expr: &Expr| matches!(expr, Expr::Variable(variable) if variable.source == Source::State && variable.name == *name);
        let summary = Summary {
            name,
            event: event.into(),
            condition: self.branches,
            domain: self.domain,
            writes: self.writes.into_iter().filter(|(name, expr)| !keeps_value(name, expr)).collect(),
            log: self.log,
        };
        (summary, reasons)
    }
}

fn path(branches: &[Expr]) -> String {
    let branches: Vec<String> = branches.iter().map(Expr::to_string).collect();
    branches.join(" and ")
}
