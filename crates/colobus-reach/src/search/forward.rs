//! Search from the start: summaries are run on values, without a solver, and what is nearest to the target goes first. It finds what
//! the search backwards has to leave open, because a solver knows nothing of a condition such as a remainder of a remainder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use colobus_solver::Solver;

use super::machine::{Given, Goal, Machine, Taken};
use super::{Running, SearchError, SummaryId, parameters};
use crate::page::Step;
use crate::search::outcome::Note;
use crate::summary::{Summary, compose};
use crate::symbolic::distance::{distance, search};
use crate::symbolic::evaluate::Assignment;
use crate::symbolic::expr::{Expr, Source, Variable};
use crate::symbolic::solve::{Solution, solve_briefly};
use crate::symbolic::typeable::typeable;
use crate::symbolic::value::Value;

/// Sequences that the page does not follow before the search from the start gives up.
const MOST_MISSES: usize = 4;
/// Values that are tried for one parameter because some condition asks for them.
const MOST_VALUES: usize = 12;
/// What one more event to a state in which the target's event is possible weighs, beside a condition that does not hold: 1.
const STEP_WEIGHT: f64 = 0.1;

/// A state of the page that some sequence leads to.
struct Node {
    state: Arc<str>,
    values: Assignment,
    /// The node before it, and what led from there.
    before: Option<(usize, Taken)>,
}

/// Values of parameters by the conditions that ask for them; nothing if there are none.
type Asked = HashMap<String, Option<Assignment>>;

struct Forward<'s, 'a> {
    machine: Machine<'a>,
    solver: &'s mut (dyn Solver + 'a),
    goals: Vec<Goal>,
    /// Events to go from each state until a goal's event is possible.
    away: BTreeMap<Arc<str>, usize>,
    nodes: Vec<Node>,
    seen: HashSet<String>,
    asked: Asked,
    /// Conditions that any path depends on.
    conditions: Vec<Expr>,
}

impl Running<'_> {
    /// Steps that reach the target, if running summaries from the start finds some within the limit.
    pub(super) fn forward(&mut self, seeds: &[SummaryId]) -> Result<Option<Vec<Step>>, SearchError> {
        self.forwarded = true;
        let summaries = self.search.summaries;
        let of_seed = |id: &SummaryId| {
            let summary = &summaries[*id];
            let needed = summary.condition_for(&self.target)?;
            let is_decidable = !summary.is_start() && self.external(&needed).is_empty();
            is_decidable.then_some(Goal { summary: *id, condition: needed })
        };
        let mut goals: Vec<Goal> = Vec::new();
        for goal in seeds.iter().filter_map(of_seed) {
            let is_known = |other: &Goal| {
                summaries[other.summary].event == summaries[goal.summary].event && other.condition == goal.condition
            };
            if !goals.iter().any(is_known) {
                goals.push(goal);
            }
        }
        let machine = Machine::new(self.search.model, summaries);
        let Some(mut forward) = Forward::begin(machine, goals, &mut *self.search.solver) else { return Ok(None) };
        let mut first: VecDeque<usize> = (0..forward.nodes.len()).collect();
        let mut nearest: BinaryHeap<(Reverse<u64>, Reverse<usize>)> = BinaryHeap::new();
        let mut expanded: HashSet<usize> = HashSet::new();
        let mut misses = 0;
        while expanded.len() < self.search.limits.forward && !(self.search.is_late)() {
            // The oldest and the nearest in turns: what leads away from the target may have to come first.
            let by_age = expanded.len().is_multiple_of(2);
            let next = match by_age {
                true => first.pop_front().or_else(|| nearest.pop().map(|(_, Reverse(node))| node)),
                false => nearest.pop().map(|(_, Reverse(node))| node).or_else(|| first.pop_front()),
            };
            let Some(node) = next else { break };
            if !expanded.insert(node) {
                continue;
            }
            self.found.statistics.simulated += 1;
            if let Some(last) = forward.reached_from(node)? {
                let steps = forward.shortened(node, last);
                self.found.statistics.replays += 1;
                let replayed = self.search.page.replay(&steps, &self.target)?;
                let hit = replayed == crate::page::Replayed::Hit;
                self.found.note(Note::Replayed { steps: steps.clone(), hit });
                if hit {
                    return Ok(Some(steps));
                }
                self.found.reason("the page does not do what the model says".to_owned());
                misses += 1;
                if misses == MOST_MISSES {
                    break;
                }
            }
            for made in forward.expand(node)? {
                first.push_back(made);
                nearest.push((Reverse(forward.distance(made)), Reverse(made)));
            }
        }
        Ok(None)
    }
}

impl<'s, 'a> Forward<'s, 'a> {
    fn begin(machine: Machine<'a>, goals: Vec<Goal>, solver: &'s mut (dyn Solver + 'a)) -> Option<Forward<'s, 'a>> {
        if goals.is_empty() {
            return None;
        }
        let summaries = machine.summaries;
        let away = machine.away(&goals);
        let mut conditions: Vec<Expr> = Vec::new();
        for part in goals.iter().flat_map(|goal| &goal.condition).chain(summaries.iter().flat_map(Summary::needed)) {
            if is_of_state(part) && !conditions.contains(part) {
                conditions.push(part.clone());
            }
        }
        let nodes: Vec<Node> =
            machine.beginnings().into_iter().map(|(state, values)| Node { state, values, before: None }).collect();
        let seen = nodes.iter().map(|node| key(&node.state, &node.values)).collect();
        Some(Forward { machine, solver, goals, away, nodes, seen, asked: Asked::new(), conditions })
    }

    /// The last event, if it reaches the target from here.
    fn reached_from(&mut self, node: usize) -> Result<Option<Taken>, SearchError> {
        for at in 0..self.goals.len() {
            let Goal { summary, condition } = self.goals[at].clone();
            if !self.machine.is_possible(&self.nodes[node].state, &self.machine.summaries[summary].event) {
                continue;
            }
            let values = &self.nodes[node].values;
            let domain = &self.machine.summaries[summary].domain;
            let wanted: Vec<Expr> = condition.iter().chain(domain).map(|part| known(part, values)).collect();
            let given = self.given_for(&wanted)?;
            let values = &self.nodes[node].values;
            let is_met = |given: &Given| condition.iter().all(|part| self.machine.holds(part, values, given));
            if let Some(given) = given.filter(is_met) {
                return Ok(Some(Taken { summary, given }));
            }
        }
        Ok(None)
    }

    /// The sequences that are longer by one event; those that change nothing are left out.
    fn expand(&mut self, node: usize) -> Result<Vec<usize>, SearchError> {
        let mut made = Vec::new();
        for (to, summary) in self.machine.choices(&self.nodes[node].state) {
            for given in self.givens(node, summary)? {
                let Some(values) = self.machine.after(summary, &self.nodes[node].values, &given) else { continue };
                if !self.seen.insert(key(&to, &values)) {
                    continue;
                }
                made.push(self.nodes.len());
                let before = Some((node, Taken { summary, given }));
                self.nodes.push(Node { state: to.clone(), values, before });
            }
        }
        Ok(made)
    }

    /// What may be entered with an event: values that its own path, a goal, or any condition asks for.
    fn givens(&mut self, node: usize, summary: SummaryId) -> Result<Vec<Given>, SearchError> {
        let it = &self.machine.summaries[summary];
        if parameters(it).is_empty() {
            return Ok(vec![Given::new()]);
        }
        let values = self.nodes[node].values.clone();
        let own: Vec<Expr> = it.needed().chain(&it.domain).map(|part| known(part, &values)).collect();
        // What must hold before the event, in terms of what is entered.
        let is_written =
            |it: &Variable| it.source == Source::State && self.machine.summaries[summary].writes_to(&it.name);
        let effect = Summary { condition: Vec::new(), domain: Vec::new(), ..it.clone() };
        let read = self.conditions.iter().filter(|condition| condition.variables().iter().any(is_written));
        let sides = read.flat_map(|condition| [condition.clone(), condition.negated()]);
        let wanted: Vec<Vec<Expr>> = sides
            .map(|side| {
                let before = compose(&effect, &[side], 0);
                own.iter().cloned().chain(before.iter().map(|part| known(part, &values))).collect()
            })
            .collect();
        let mut found: Vec<Given> = self.given_for(&own)?.into_iter().collect();
        for wanted in wanted {
            if found.len() > MOST_VALUES {
                break;
            }
            let given = self.given_for(&wanted)?;
            found.extend(given.filter(|given| !found.contains(given)));
        }
        Ok(found)
    }

    /// Values of parameters that fulfil conditions on parameters alone.
    fn given_for(&mut self, wanted: &[Expr]) -> Result<Option<Given>, SearchError> {
        let mut open: Vec<Expr> = Vec::new();
        for part in wanted {
            match part {
                Expr::Constant(value) if value.is_truthy() => {}
                Expr::Constant(_) => return Ok(None),
                part if part.variables().iter().any(|variable| variable.source == Source::State) => return Ok(None),
                part => open.push(part.clone()),
            }
        }
        let question = open.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        let answer = match self.asked.get(&question) {
            Some(answer) => answer.clone(),
            None => {
                let typed = [&open[..], &typeable(&open)].concat();
                let answer = match search(&typed) {
                    Some(values) => Some(values),
                    None => match solve_briefly(&typed, self.solver)? {
                        Solution::Values(values) => Some(values),
                        _ => None,
                    },
                };
                self.asked.insert(question, answer.clone());
                answer
            }
        };
        Ok(answer.map(|values| values.into_iter().map(|(variable, value)| (variable.name, value)).collect()))
    }

    /// How far the target is from here, in thousandths.
    fn distance(&self, node: usize) -> u64 {
        let Node { state, values, .. } = &self.nodes[node];
        let of_goal = |goal: &Goal| {
            goal.condition.iter().filter(|part| is_of_state(part)).map(|part| distance(part, true, values)).sum::<f64>()
        };
        let conditions = self.goals.iter().map(of_goal).fold(f64::INFINITY, f64::min);
        let way = self.away.get(state).map_or(10.0, |away| *away as f64 * STEP_WEIGHT);
        ((conditions + way) * 1000.0).min(1e12) as u64
    }

    /// The steps to a node and the last event, without those that are not needed.
    fn shortened(&self, node: usize, last: Taken) -> Vec<Step> {
        let mut taken = vec![last];
        let mut at = node;
        while let Some((before, by)) = &self.nodes[at].before {
            taken.push(by.clone());
            at = *before;
        }
        taken.reverse();
        let mut index = taken.len() - 1;
        while index > 0 {
            index -= 1;
            let mut fewer = taken.clone();
            fewer.remove(index);
            if self.machine.reaches(&fewer, &self.goals) {
                taken = fewer;
                index = index.min(taken.len() - 1);
            }
        }
        taken.iter().map(|taken| self.machine.step(taken)).collect()
    }
}

/// Whether nothing that is entered with an event matters to a condition.
fn is_of_state(part: &Expr) -> bool {
    part.variables().iter().all(|variable| variable.source == Source::State)
}

/// A condition with the values of the state put in.
fn known(part: &Expr, values: &Assignment) -> Expr {
    part.substitute(&|variable: &Variable| values.get(variable).map(|value| Expr::Constant(value.clone())))
}

fn key(state: &str, values: &Assignment) -> String {
    let values: Vec<String> = values.values().map(Value::to_string).collect();
    format!("{state}: {}", values.join(","))
}
