//! States that are visited again, because an event has made more there than there was: the first element of a list, a number where
//! nothing was. Handlers have paths then that no values could lead into before.

use std::collections::BTreeSet;
use std::sync::Arc;

use colobus_solver::Solver;

use super::{Crawl, EventRuns, Move, State, Visited};
use crate::concolic::{Run, SummariseError};
use crate::given::is_answer;
use crate::symbolic::expr::Expr;
use crate::symbolic::value::Kind;

/// Answers with different parts for which handlers are run.
const MOST_SHAPES: usize = 4;

impl Crawl<'_> {
    /// Visit a state once more if a run that leads there has made more.
    pub(super) fn visit_again_after(&mut self, visited: &Visited, to: &Arc<str>, way: Vec<Move>) {
        if self.makes_more(&visited.run) && self.visited_again.insert(to.clone()) {
            let offers = visited.offers.clone();
            self.pending.push_back(State { name: to.clone(), offers, way, is_visited_again: true });
        }
    }

    /// Visit a state that waits for an answer once more if the answer that a run has brought has other parts.
    pub(super) fn visit_with_other_answers(
        &mut self,
        visited: &Visited,
        to: &Arc<str>,
        way: Vec<Move>,
        is_known: bool,
    ) {
        let parts: BTreeSet<Arc<str>> = visited.run.writes.keys().filter(|name| is_answer(name)).cloned().collect();
        let shapes = self.brought.entry(to.clone()).or_default();
        let is_new = !shapes.iter().any(|known| parts.is_subset(known)) && shapes.len() < MOST_SHAPES;
        if is_new {
            shapes.push(parts);
        }
        if is_new && is_known {
            let offers = visited.offers.clone();
            self.pending.push_back(State { name: to.clone(), offers, way, is_visited_again: true });
        }
    }

    /// Whether a run writes what was not there when the page opened, or a value of another type.
    fn makes_more(&self, run: &Run) -> bool {
        let Some(start) = self.found.summaries.first() else { return false };
        let is_longer = run.lists.iter().any(|list| !list.added.is_empty());
        is_longer
            || run.writes.iter().any(|(name, expr)| {
                let first = start.writes.get(name).map(kinds);
                first
                    .is_none_or(|first| !first.is_empty() && !kinds(expr).is_empty() && first.is_disjoint(&kinds(expr)))
            })
    }

    /// Summarise an event once more; paths that are known stay as they are.
    pub(super) fn event_again(
        &mut self,
        state: &State,
        event: &Arc<str>,
        solver: &mut dyn Solver,
        is_late: &mut dyn FnMut() -> bool,
    ) -> Result<(), SummariseError> {
        let EventRuns { summaries, seen } = self.try_event(state, event, solver, is_late)?;
        // What is known of an event that cannot be run here stays as it is.
        let Ok(summaries) = summaries else { return Ok(()) };
        for mut summary in summaries {
            let of_event = || self.found.summaries.iter().filter(|it| it.event == *event);
            if of_event().all(|it| it.condition != summary.condition) {
                summary.name = format!("{event}/{}", of_event().count() + 1).into();
                self.found.summaries.push(summary);
            }
        }
        for (before, visited) in seen {
            self.arrive(state, event, before, visited);
        }
        Ok(())
    }
}

/// The types that a value may have; none if that is not seen at once.
fn kinds(expr: &Expr) -> BTreeSet<Kind> {
    match expr {
        Expr::Constant(value) => [value.kind()].into(),
        Expr::Variable(variable) => variable.kinds.clone(),
        Expr::Apply(_) => BTreeSet::new(),
    }
}
