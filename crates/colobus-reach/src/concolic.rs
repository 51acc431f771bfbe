//! [`summarise`]: the paths of a handler, by concolic execution. Runs the handler, negates the last branch that was not
//! tried, solves, sets the state, runs again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use colobus_solver::{Solver, SolverError};

use crate::line::Line;
use crate::lists::ListWrite;
use crate::paths::{Paths, path};
use crate::pending::{Pending, Prefix};
use crate::summary::Summary;
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source};
use crate::symbolic::solve::{Solution, solve};
use crate::symbolic::typeable::{are_well_formed, printable};

/// One execution of a handler.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The conditions of its branches in terms of state and parameters, as they were taken: each was truthy.
    pub branches: Vec<Expr>,
    /// Where each of them stands; nothing where places have no numbers.
    pub sites: Vec<u32>,
    /// What a user can enter, as conditions on the parameters.
    pub domain: Vec<Expr>,
    /// What is true of every state, as conditions on what the branches read.
    pub assumed: Vec<Expr>,
    /// What it wrote.
    pub writes: BTreeMap<Arc<str>, Expr>,
    /// Lists that it made longer or copied, whatever their lengths.
    pub lists: Vec<ListWrite>,
    /// The lines it executed, and how many branches it had taken when it first did.
    pub log: BTreeMap<Line, usize>,
    /// What was followed with concrete values only; a summary of this run may be wrong elsewhere.
    pub concrete: Vec<String>,
    /// What can be done afterwards.
    pub shows: BTreeSet<Arc<str>>,
    /// Why it did not come to its end: an exception, too many steps.
    pub aborted: Option<String>,
    /// Whether the state that was set does not offer the event, so that the handler did not run.
    pub is_absent: bool,
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
    /// Runs of these that may be combinations of conditions which were seen to make no difference to each other.
    pub combinations: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { paths: 64, runs: 256, combinations: 8 }
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
    let mut paths = Paths::default();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut pending = Pending::default();
    let mut domain: Vec<Expr> = Vec::new();
    let mut combinations = 0;
    while let Some(Prefix { branches: prefix, is_combination }) = pending.take_next() {
        if is_late() || result.runs == bounds.runs || known.len() == bounds.paths {
            result.reasons.push(format!("stopped after {} runs with branches left to try", result.runs));
            break;
        }
        if is_combination {
            combinations += 1;
            if combinations > bounds.combinations {
                continue;
            }
        }
        let before = if prefix.is_empty() {
            Assignment::new()
        } else {
            result.queries += 1;
            match solve_readably(&[&prefix[..], &domain].concat(), solver)? {
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
        if run.is_absent {
            continue;
        }
        domain = [&run.domain[..], &run.assumed].concat();
        if run.branches.starts_with(&prefix) {
            pending.add(&run, paths.repeats_from(&run));
        } else {
            // Something on its way is not followed: asking for its other sides would go on for ever.
            result.reasons.push(format!("a run took another path than its values ask for: {}", path(&prefix)));
        }
        if known.insert(path(&run.branches)) {
            paths.add(run);
        }
    }
    if combinations > bounds.combinations {
        let left = combinations - bounds.combinations;
        result.reasons.push(format!("{left} combinations of conditions that seem independent were not run"));
    }
    result.summaries = paths.summaries(event, &mut result.reasons);
    Ok(result)
}

/// Values with texts that people can read, if they will do.
fn solve_readably(conditions: &[Expr], solver: &mut dyn Solver) -> Result<Solution, SolverError> {
    let readable = printable(conditions);
    if !readable.is_empty()
        && let Solution::Values(values) = solve(&[conditions, &readable].concat(), solver)?
    {
        return Ok(Solution::Values(values));
    }
    Ok(match solve(conditions, solver)? {
        Solution::Values(values) if !are_well_formed(&values) => {
            Solution::Unknown("only texts that are not well-formed were found".to_owned())
        }
        solution => solution,
    })
}

impl Run {
    /// Its path as a summary, and what that does not say.
    pub fn summary(self, event: &str, name: Arc<str>) -> (Summary, Vec<String>) {
        let all = |count: &usize| (0..(*count).min(self.branches.len())).collect();
        let log = self.log.iter().map(|(line, count)| (line.clone(), all(count))).collect();
        self.summary_with(event, name, BTreeSet::new(), log)
    }

    fn summary_with(
        self,
        event: &str,
        name: Arc<str>,
        idle: BTreeSet<usize>,
        log: BTreeMap<Line, BTreeSet<usize>>,
    ) -> (Summary, Vec<String>) {
        let concrete = self.concrete.iter().map(|what| format!("{name}: {what} was followed concretely"));
        let aborted = self.aborted.iter().map(|why| format!("{name} did not come to its end: {why}"));
        let reasons = concrete.chain(aborted).collect();
        let keeps_value = |name: &Arc<str>, expr: &Expr| matches!(expr, Expr::Variable(variable) if variable.source == Source::State && variable.name == *name);
        let summary = Summary {
            name,
            event: event.into(),
            condition: self.branches,
            idle,
            domain: self.domain,
            writes: self.writes.into_iter().filter(|(name, expr)| !keeps_value(name, expr)).collect(),
            lists: self.lists,
            log,
        };
        (summary, reasons)
    }
}

impl Paths {
    /// A summary of each run, with what it does not say.
    fn summaries(self, event: &str, reasons: &mut Vec<String>) -> Vec<Summary> {
        let needed = |run: &Run| run.log.keys().map(|line| (line.clone(), self.needed(run, line))).collect();
        let known: Vec<_> = self.runs().iter().map(|run| (self.idle(run), needed(run))).collect();
        let mut summaries = Vec::new();
        for (run, (idle, log)) in self.into_runs().into_iter().zip(known) {
            let name: Arc<str> = format!("{event}/{}", summaries.len() + 1).into();
            let (summary, unsaid) = run.summary_with(event, name, idle, log);
            reasons.extend(unsaid);
            summaries.push(summary);
        }
        summaries
    }
}
