//! [`Machine`]: summaries and the UI model as a program that runs on values.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::anchors::taking;
use super::{SummaryId, parameters, simplest};
use crate::given::is_answer;
use crate::page::Step;
use crate::summary::{START, Summary};
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::value::Value;
use crate::ui::UiModel;

/// What was entered, by the names of parameters.
pub(super) type Given = BTreeMap<Arc<str>, Value>;

/// A path that an event took, with what was entered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Taken {
    pub summary: SummaryId,
    pub given: Given,
}

/// A path that executes the target, and what must hold for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Goal {
    pub summary: SummaryId,
    pub condition: Vec<Expr>,
}

pub(super) struct Machine<'a> {
    pub model: &'a UiModel,
    pub summaries: &'a [Summary],
    /// Every variable of the state that some summary reads.
    variables: BTreeSet<Variable>,
    choices: BTreeMap<Arc<str>, Vec<(Arc<str>, SummaryId)>>,
}

impl<'a> Machine<'a> {
    pub fn new(model: &'a UiModel, summaries: &'a [Summary]) -> Machine<'a> {
        let read = summaries.iter().flat_map(|it| it.condition.iter().chain(it.values()));
        let variables = with_copied(read.flat_map(Expr::variables).collect(), summaries);
        let mut choices: BTreeMap<Arc<str>, Vec<(Arc<str>, SummaryId)>> = BTreeMap::new();
        for transition in model.transitions.iter().filter(|it| &*it.event != START) {
            let known = choices.entry(transition.from.clone()).or_default();
            known.extend(taking(summaries, transition).map(|(id, _)| (transition.to.clone(), id)));
        }
        Machine { model, summaries, variables, choices }
    }

    /// The first states, and the values there.
    pub fn beginnings(&self) -> Vec<(Arc<str>, Assignment)> {
        let mut found = Vec::new();
        for transition in self.model.transitions.iter().filter(|it| &*it.event == START) {
            for (id, _) in taking(self.summaries, transition) {
                found.extend(self.after(id, &Assignment::new(), &Given::new()).map(|it| (transition.to.clone(), it)));
            }
        }
        found
    }

    /// What can be done in a state: paths, and where they lead.
    pub fn choices(&self, state: &str) -> Vec<(Arc<str>, SummaryId)> {
        self.choices.get(state).cloned().unwrap_or_default()
    }

    pub fn is_possible(&self, state: &str, event: &str) -> bool {
        let choices = self.choices.get(state);
        choices.is_some_and(|it| it.iter().any(|(_, id)| &*self.summaries[*id].event == event))
    }

    /// Whether a condition of a summary is truthy.
    pub fn holds(&self, part: &Expr, values: &Assignment, given: &Given) -> bool {
        part.evaluate(&with(part, values, given)).is_ok_and(|value| value.is_truthy())
    }

    /// The values after a path; nothing if it is not taken.
    pub fn after(&self, summary: SummaryId, values: &Assignment, given: &Given) -> Option<Assignment> {
        let it = &self.summaries[summary];
        if !it.needed().chain(&it.domain).all(|part| self.holds(part, values, given)) {
            return None;
        }
        let mut after = values.clone();
        for variable in &self.variables {
            let Some(expr) = it.written(variable) else { continue };
            match expr.evaluate(&with(&expr, values, given)) {
                Ok(value) => after.insert(variable.clone(), value),
                // An element of a list of which too little is known stays as it is.
                Err(_) if !it.writes.contains_key(&variable.name) => continue,
                Err(_) => return None,
            };
        }
        Some(after)
    }

    /// Whether events reach one of the goals, by whichever paths they take then.
    pub fn reaches(&self, taken: &[Taken], goals: &[Goal]) -> bool {
        let Some((last, earlier)) = taken.split_last() else { return false };
        let mut now = self.beginnings();
        for Taken { summary, given } in earlier {
            let event = &self.summaries[*summary].event;
            let next = now.iter().flat_map(|(state, values)| {
                let of_event = self.choices.get(state).into_iter().flatten();
                let of_event = of_event.filter(|(_, id)| self.summaries[*id].event == *event);
                of_event.filter_map(|(to, id)| Some((to.clone(), self.after(*id, values, given)?))).collect::<Vec<_>>()
            });
            now = next.take(4).collect();
        }
        let event = &self.summaries[last.summary].event;
        now.iter().any(|(state, values)| {
            let of_event = goals.iter().filter(|goal| self.summaries[goal.summary].event == *event);
            let is_met = |goal: &Goal| goal.condition.iter().all(|part| self.holds(part, values, &last.given));
            self.is_possible(state, event) && of_event.clone().any(is_met)
        })
    }

    /// How many events lead at least from each state to one in which the event of a goal is possible.
    pub fn away(&self, goals: &[Goal]) -> BTreeMap<Arc<str>, usize> {
        let is_goal = |state: &str| goals.iter().any(|it| self.is_possible(state, &self.summaries[it.summary].event));
        let mut away: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut queue: VecDeque<Arc<str>> = self.choices.keys().filter(|state| is_goal(state)).cloned().collect();
        away.extend(queue.iter().map(|state| (state.clone(), 0)));
        while let Some(state) = queue.pop_front() {
            let next = away[&state] + 1;
            for transition in self.model.transitions.iter().filter(|it| it.to == state && &*it.from != START) {
                if !away.contains_key(&transition.from) {
                    away.insert(transition.from.clone(), next);
                    queue.push_back(transition.from.clone());
                }
            }
        }
        away
    }

    /// An event as a user performs it.
    pub fn step(&self, taken: &Taken) -> Step {
        let summary = &self.summaries[taken.summary];
        let value =
            |it: Variable| (it.name.clone(), taken.given.get(&it.name).cloned().unwrap_or_else(|| simplest(&it)));
        let entered = parameters(summary).into_iter().filter(|it| !is_answer(&it.name));
        Step { event: summary.event.clone(), parameters: entered.map(value).collect() }
    }
}

/// The variables of the state among some, and those that lists get their elements from.
fn with_copied(read: BTreeSet<Variable>, summaries: &[Summary]) -> BTreeSet<Variable> {
    let mut all: BTreeSet<Variable> = read.into_iter().filter(|it| it.source == Source::State).collect();
    let mut new: Vec<Variable> = all.iter().cloned().collect();
    while let Some(variable) = new.pop() {
        let lists = summaries.iter().flat_map(|it| &it.lists);
        for other in lists.filter_map(|list| list.written(&variable)).flat_map(|expr| expr.variables()) {
            if other.source == Source::State && all.insert(other.clone()) {
                new.push(other);
            }
        }
    }
    all
}

/// The values of what an expression reads.
fn with(expr: &Expr, values: &Assignment, given: &Given) -> Assignment {
    let value = |it: Variable| {
        let known = match it.source {
            Source::State => values.get(&it).cloned(),
            Source::Event(_) => given.get(&it.name).cloned(),
        };
        Some((it, known?))
    };
    expr.variables().into_iter().filter_map(value).collect()
}
