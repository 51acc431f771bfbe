//! [`Search`]: from a target line backwards to the start of the application, anchor by anchor.

pub mod anchors;
mod extend;
mod forward;
mod machine;
mod outcome;
mod partial;
pub mod ways;

pub use extend::Extension;
pub use outcome::{Found, Note, Outcome, Statistics};
pub use partial::{Partial, SummaryId};

use std::collections::BTreeSet;
use std::sync::Arc;

use colobus_solver::{Solver, SolverError};

use crate::given::is_answer;
use crate::invariant::integral;
use crate::line::Line;
use crate::page::{Page, PageError, Replayed, Step};
use crate::priority::Priority;
use crate::summary::{START, Summary, compose, dependencies};
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::solve::{Solution, solve};
use crate::symbolic::typeable::typeable;
use crate::symbolic::value::{Kind, Value};
use crate::ui::UiModel;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Partial sequences that are extended.
    pub iterations: usize,
    /// Ways from one anchor that are followed.
    pub ways: usize,
    /// States that are looked at from the start, where the search backwards does not get on.
    pub forward: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { iterations: 2000, ways: 16, forward: 6000 }
    }
}

/// The search backwards does not get on after so many partial sequences, or so many questions that the solver left open.
const SLOW: (usize, usize) = (6, 2);

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The page failed.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// A search for sequences that reach a line.
pub struct Search<'a> {
    /// The user interface.
    pub model: &'a UiModel,
    /// What its handlers do.
    pub summaries: &'a [Summary],
    /// Decides which sequences are possible.
    pub solver: &'a mut dyn Solver,
    /// Decides whether a sequence reaches the line.
    pub page: &'a mut dyn Page,
    /// What lowers the priority of sequences.
    pub priorities: &'a [&'a dyn Priority],
    /// How far to go.
    pub limits: Limits,
    /// Says when time is up.
    pub is_late: &'a mut dyn FnMut() -> bool,
}

impl Search<'_> {
    /// Search for a sequence that executes `target`.
    pub fn run(self, target: &Line) -> Result<Found, SearchError> {
        let executing = self.summaries.iter().enumerate().filter(|(_, summary)| summary.log.contains_key(target));
        let seeds: Vec<SummaryId> = executing.map(|(id, _)| id).collect();
        self.run_from(&seeds, target)
    }

    /// The same, with only some of the summaries that execute the target to begin with.
    pub fn run_from(self, seeds: &[SummaryId], target: &Line) -> Result<Found, SearchError> {
        let integral = integral(self.summaries);
        Running {
            search: self,
            target: target.clone(),
            integral,
            found: Found::default(),
            worklist: Vec::new(),
            made: 0,
            seeds: seeds.to_vec(),
            forwarded: false,
            reached: None,
        }
        .run()
    }
}

struct Running<'a> {
    search: Search<'a>,
    target: Line,
    /// Variables that always hold integers.
    integral: BTreeSet<Arc<str>>,
    found: Found,
    worklist: Vec<Partial>,
    made: usize,
    /// The paths that execute the target.
    seeds: Vec<SummaryId>,
    /// Whether the search from the start was made.
    forwarded: bool,
    /// What the search from the start found.
    reached: Option<Vec<Step>>,
}

impl Running<'_> {
    fn run(mut self) -> Result<Found, SearchError> {
        let seeds = self.seeds.clone();
        if let Some(steps) = self.seed(&seeds)? {
            return Ok(self.finish(Outcome::Reached(steps)));
        }
        while let Some(next) = (0..self.worklist.len()).max_by_key(|at| self.worklist[*at].rank()) {
            if self.found.statistics.iterations == self.search.limits.iterations || (self.search.is_late)() {
                return Ok(self.finish(Outcome::Limit));
            }
            self.found.statistics.iterations += 1;
            let partial = self.worklist.swap_remove(next);
            // What is complete is tried at once: it may be all that is needed.
            for extension in self.extend(&partial, true)? {
                if let Some(steps) = self.complete(&extension.partial)? {
                    return Ok(self.finish(Outcome::Reached(steps)));
                }
            }
            let extensions = self.extend(&partial, false)?;
            if let Some(steps) = self.reached.take() {
                return Ok(self.finish(Outcome::Reached(steps)));
            }
            let penalties = self.penalties(&partial, &extensions);
            for (extension, penalty) in extensions.into_iter().zip(penalties) {
                let serial = self.next_serial();
                let priority = partial.priority - penalty;
                self.worklist.push(Partial { serial, priority, ..extension.partial });
            }
        }
        let unreachable = self.found.reasons.is_empty();
        if !unreachable
            && !self.forwarded
            && let Some(steps) = self.forward(&seeds)?
        {
            return Ok(self.finish(Outcome::Reached(steps)));
        }
        Ok(self.finish(if unreachable { Outcome::Unreachable } else { Outcome::Undecided }))
    }

    /// Make the search from the start, once, if the one backwards does not get on; whether it found something.
    fn look_forward(&mut self) -> Result<bool, SearchError> {
        let statistics = &self.found.statistics;
        let is_slow = statistics.iterations >= SLOW.0 || statistics.unknown >= SLOW.1;
        if is_slow && !self.forwarded {
            let seeds = self.seeds.clone();
            self.reached = self.forward(&seeds)?;
        }
        Ok(self.reached.is_some())
    }

    /// Begin with the summaries that execute the target, in every state in which their event is possible.
    fn seed(&mut self, seeds: &[SummaryId]) -> Result<Option<Vec<Step>>, SearchError> {
        if seeds.is_empty() {
            self.found.reason("no summary executes the line: no handler was seen to run it".to_owned());
        }
        let mut known: Vec<(&Arc<str>, Vec<Expr>)> = Vec::new();
        for &id in seeds {
            let summary = &self.search.summaries[id];
            let Some(needed) = summary.condition_for(&self.target) else { continue };
            // Paths that part after the line, or where it does not matter, are one path to it.
            let path = (&summary.event, needed);
            if known.contains(&path) {
                continue;
            }
            let external = self.external(&path.1);
            if !external.is_empty() {
                let names: Vec<&str> = external.iter().map(|name| &**name).collect();
                self.found.is_external = true;
                self.found.reason(format!("the line depends on {}, which no event sets", names.join(", ")));
                continue;
            }
            let leaving = self.search.model.transitions.iter().filter(|transition| transition.event == summary.event);
            let states: BTreeSet<Arc<str>> = leaving.map(|transition| transition.from.clone()).collect();
            if states.is_empty() {
                self.found.reason(format!("the UI model has no state in which `{}` is possible", summary.event));
            }
            let up_to_the_line = Summary { condition: path.1.clone(), idle: BTreeSet::new(), ..summary.clone() };
            known.push(path);
            for state in states {
                let serial = self.next_serial();
                let condition = compose(&up_to_the_line, &[], 1);
                let partial = Partial {
                    state,
                    list: vec![id],
                    condition,
                    priority: 0,
                    serial,
                    connectors: 0,
                    ancestors: Vec::new(),
                };
                if !summary.is_start() {
                    self.worklist.push(partial);
                } else if let Some(steps) = self.complete(&partial)? {
                    return Ok(Some(steps));
                }
            }
        }
        Ok(None)
    }

    /// What a condition depends on that nothing writes: chance, time, what other programs have left.
    fn external(&self, condition: &[Expr]) -> BTreeSet<Arc<str>> {
        let is_written = |name: &Arc<str>| self.search.summaries.iter().any(|summary| summary.writes_to(name));
        dependencies(condition).into_iter().filter(|name| !is_written(name)).collect()
    }

    /// Solve for the parameters of a sequence that begins with the start, and perform it.
    fn complete(&mut self, partial: &Partial) -> Result<Option<Vec<Step>>, SearchError> {
        let names = self.names(&partial.list);
        let open = partial.dependencies();
        if !open.is_empty() {
            let open: Vec<&str> = open.iter().map(|name| &**name).collect();
            self.found.reason(format!("the start does not say what {} is: {names}", open.join(", ")));
            return Ok(None);
        }
        // Values that a keyboard has, if they will do.
        let typed = [partial.condition.clone(), typeable(&partial.condition)].concat();
        let solution = match solve(&typed, self.search.solver)? {
            Solution::Values(values) => Solution::Values(values),
            _ => solve(&partial.condition, self.search.solver)?,
        };
        let values = match solution {
            Solution::Values(values) => values,
            Solution::Never => return Ok(None),
            Solution::Unknown(reason) => {
                self.found.statistics.unknown += 1;
                self.found.reason(format!("the solver does not know the values for {names}: {reason}"));
                return Ok(None);
            }
        };
        let count = partial.list.len() as u32;
        let steps: Vec<Step> = (0u32..)
            .zip(&partial.list)
            .filter(|(_, id)| &*self.search.summaries[**id].event != START)
            .map(|(index, id)| {
                let summary = &self.search.summaries[*id];
                let own = Source::Event(count - index);
                let entered = parameters(summary).into_iter().filter(|it| !is_answer(&it.name));
                let parameters = entered.map(|mut variable| {
                    variable.source = own;
                    let value = values.get(&variable).cloned();
                    (variable.name.clone(), value.unwrap_or_else(|| simplest(&variable)))
                });
                Step { event: summary.event.clone(), parameters: parameters.collect() }
            })
            .collect();
        self.found.statistics.replays += 1;
        let replayed = self.search.page.replay(&steps, &self.target)?;
        self.found.note(Note::Replayed { steps: steps.clone(), hit: replayed == Replayed::Hit });
        match replayed {
            Replayed::Hit => {
                self.found.statistics.connectors = partial.connectors;
                Ok(Some(steps))
            }
            Replayed::Miss(instead) => {
                self.found.reason(format!("the page does not do what the model says: {instead} ({names})"));
                Ok(None)
            }
        }
    }

    fn penalties(&self, partial: &Partial, extensions: &[Extension]) -> Vec<i64> {
        let mut sums = vec![0; extensions.len()];
        for priority in self.search.priorities {
            for (sum, penalty) in sums.iter_mut().zip(priority.penalties(partial, extensions, self.search.summaries)) {
                *sum += penalty;
            }
        }
        sums
    }

    fn names(&self, list: &[SummaryId]) -> String {
        let names: Vec<&str> = list.iter().map(|id| &*self.search.summaries[*id].name).collect();
        names.join(" ")
    }

    fn next_serial(&mut self) -> usize {
        self.made += 1;
        self.found.statistics.partial_sequences += 1;
        self.made
    }

    fn finish(mut self, outcome: Outcome) -> Found {
        self.found.outcome = outcome;
        self.found
    }
}

/// The parameters that a summary reads.
fn parameters(summary: &Summary) -> BTreeSet<Variable> {
    let read = summary.condition.iter().chain(&summary.domain).chain(summary.values()).flat_map(Expr::variables);
    read.filter(|variable| variable.source != Source::State).collect()
}

/// A value for a parameter that nothing depends on.
fn simplest(variable: &Variable) -> Value {
    match variable.kinds.first() {
        Some(Kind::Boolean) => Value::Boolean(false),
        Some(Kind::Number) => Value::Number(0.0),
        Some(Kind::Text) => Value::text(""),
        Some(Kind::Null) => Value::Null,
        Some(Kind::Undefined) | None => Value::Undefined,
    }
}
