//! [`Search`]: which order to execute next. Driven step by step by a run loop, or by [`explore`](super::explore).

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::equivalence::Classes;
use super::executed_orders::ExecutedOrders;
use super::facts::Facts;
use super::names::{Id, Names};
use super::plan::{Node, Plan, PlanKey, Reversal, Turn};
use super::progress::{Explored, Next, PlanResult, Status, Tally};
use super::settings::{Settings, Tail};
use crate::model::Execution;

/// A search over the orders of one recording. It is a function of the recording, the settings and the results: a run
/// loop resumes by giving it the results of its journal again. Several plans may be executed at once; results are taken
/// into account in the order of the plans.
pub struct Search {
    settings: Settings,
    names: Names,
    known: ExecutedOrders,
    classes: Classes,
    planned: HashSet<Vec<Id>>,
    /// By depth; those of one depth by how much of their parent stays as it is, the most first.
    waiting: Vec<Option<Waiting>>,
    /// How many of them are not deeper than those that are being executed.
    sorted: usize,
    handed_out: usize,
    settled: usize,
    results: BTreeMap<PlanKey, PlanResult>,
    recording: Arc<Execution>,
    tally: Tally,
}

struct Waiting {
    turn: Turn,
    /// Its order, once it has been computed.
    prepared: Option<Prepared>,
}

struct Prepared {
    ids: Vec<Id>,
    /// Up to the first event that was moved.
    beginning: Vec<Id>,
    plan: Plan,
    /// Whether it needs no run, as was known when it had its turn.
    decided: bool,
}

impl Search {
    /// A search around a recording. Its events all count as planned.
    pub fn new(recording: Execution, settings: Settings) -> Search {
        let mut names = Names::default();
        let recording = recording.as_recording();
        let uncontrolled = !recording.notes.is_empty();
        let facts = Arc::new(Facts::of(recording, &settings, &mut names));
        let mut search = Search {
            settings,
            names,
            known: ExecutedOrders::default(),
            classes: Classes::default(),
            planned: HashSet::new(),
            waiting: Vec::new(),
            sorted: 0,
            handed_out: 0,
            settled: 0,
            results: BTreeMap::new(),
            recording: facts.execution.clone(),
            tally: Tally { orders: 1, conflicts: facts.conflicts.len(), uncontrolled, ..Tally::default() },
        };
        let order = (0..facts.taking_part).collect();
        search.classes.add(&facts);
        search.note(Node { facts, order, reversals: Arc::default() });
        search
    }

    /// The recording, without accesses.
    pub fn recording(&self) -> &Arc<Execution> {
        &self.recording
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The largest number of reversals within which every order was executed; `None` if all orders were.
    pub fn explored_within(&self) -> Option<usize> {
        let open = self.waiting.get(self.settled)?.as_ref();
        open.map(|waiting| waiting.turn.parent.reversals.len())
    }

    /// The next order to execute.
    pub fn next_plan(&mut self) -> Next {
        loop {
            if self.handed_out == self.sorted && self.settled == self.handed_out {
                self.sort_next_depth();
            }
            let within = |turn: &Turn| self.settings.bound.is_none_or(|bound| turn.parent.reversals.len() < bound);
            match self.waiting[..self.sorted].get(self.handed_out) {
                Some(Some(waiting)) if within(&waiting.turn) => {}
                _ if self.settled < self.handed_out => return Next::Wait,
                _ => return Next::Finished,
            }
            let key = self.handed_out;
            self.handed_out += 1;
            let mut prepared = self.prepare(key);
            if let Some(prepared) = &mut prepared {
                prepared.decided = self.is_known(&prepared.ids) || self.equivalent(&prepared.ids).is_some();
            }
            let plan = prepared.as_ref().filter(|prepared| !prepared.decided).map(|prepared| prepared.plan.clone());
            if let Some(waiting) = &mut self.waiting[key] {
                waiting.prepared = prepared;
            }
            match plan {
                Some(plan) => return Next::Run(plan),
                // Told at once unless earlier plans are still out; it yields nothing to report.
                None => _ = self.settle(),
            }
        }
    }

    /// All reversals of one more depth are known now. As in the thesis, the one that repeats most of its parent comes
    /// first: of several reversals that lead to the same order, it is the one that explains it.
    fn sort_next_depth(&mut self) {
        let shared = |waiting: &Option<Waiting>| waiting.as_ref().map(|waiting| waiting.turn.shared);
        self.waiting[self.sorted..].sort_by_key(|waiting| std::cmp::Reverse(shared(waiting)));
        self.sorted = self.waiting.len();
    }

    /// What came of a plan. Yields the plans that are settled by it, in the order of their keys.
    pub fn tell(&mut self, key: PlanKey, result: PlanResult) -> Vec<Explored> {
        if key >= self.settled && key < self.handed_out {
            self.results.entry(key).or_insert(result);
        }
        self.settle()
    }

    /// Whether an executed order begins with this one. Where events that were not planned are not turned round, an order
    /// equivalent to an executed one may begin with it as well.
    fn is_known(&self, ids: &[Id]) -> bool {
        let runs_last = self.settings.tail == Tail::RunsLast;
        self.known.covers(ids) || runs_last && self.classes.find_longer(ids).is_some()
    }

    /// The execution of an order that is equivalent to an executed one.
    fn equivalent(&self, ids: &[Id]) -> Option<(Arc<Facts>, Vec<usize>)> {
        let longer = || self.classes.find_longer(ids).filter(|_| self.settings.tail == Tail::TakesPart);
        self.classes.find(ids).or_else(longer)
    }

    /// Whether the whole tree below this beginning is explored anyway, as in a search without a bound.
    fn is_below_known(&self, beginning: &[Id]) -> bool {
        self.settings.bound.is_none() && self.known.has_beginning(beginning)
    }

    /// The order of a reversal; `None` if it is impossible, or the same as another one.
    fn prepare(&mut self, key: PlanKey) -> Option<Prepared> {
        let turn = self.waiting[key].as_ref()?.turn.clone();
        let facts = &turn.parent.facts;
        let (turned, fixed) = turn.order();
        let mut order = turned.clone();
        let as_ids = |numbers: &[usize]| numbers.iter().map(|number| facts.ids[*number]).collect::<Vec<Id>>();
        let beginning = as_ids(&order[..turn.shared + 1]);
        if self.is_below_known(&beginning) {
            self.tally.known += 1;
            return None;
        }
        if self.settings.only_feasible {
            let reversed = (turn.first, turn.second);
            let reverse = |pair: (usize, usize)| if pair == reversed { (pair.1, pair.0) } else { pair };
            // What happens before is given in full: some of it may follow only by way of the pair that is turned round.
            let mut depend: Vec<(usize, usize)> = facts.pairs().map(reverse).chain(facts.happens_before()).collect();
            depend.push((turn.second, turn.first));
            let Some(feasible) = facts.timing.nearest(&order, fixed, &depend) else {
                self.tally.infeasible += 1;
                return None;
            };
            order = feasible;
        }
        let shared = order.iter().zip(&turn.parent.order).take_while(|(now, then)| now == then).count();
        let ids = as_ids(&order);
        let is_again = self.settings.bound.is_some() && !self.planned.insert(ids.clone());
        if is_again {
            self.tally.known += 1;
            return None;
        }
        let name = |number: usize| self.names.name(facts.ids[number]).clone();
        let with = turned[turn.shared..fixed - 2].iter().map(|number| name(*number)).collect();
        let reversal = Reversal { first: name(turn.first), second: name(turn.second), with, cause: turn.cause() };
        let reversals = turn.parent.reversals.iter().cloned().chain([reversal]).collect();
        let plan = Plan { key, order: self.names.all(&ids), shared, reversals };
        Some(Prepared { ids, beginning, plan, decided: false })
    }

    /// Takes results into account, as far as there is one for each plan.
    fn settle(&mut self) -> Vec<Explored> {
        let mut explored = Vec::new();
        while self.settled < self.handed_out {
            let key = self.settled;
            let prepared = self.waiting[key].as_ref().and_then(|waiting| waiting.prepared.as_ref());
            let needs_result = prepared.is_some_and(|prepared| !prepared.decided);
            if needs_result && !self.results.contains_key(&key) {
                break;
            }
            self.settled += 1;
            let result = self.results.remove(&key);
            let Some(Waiting { turn, prepared: Some(prepared) }) = self.waiting[key].take() else { continue };
            explored.extend(self.settle_one(&turn, prepared, result));
        }
        explored
    }

    fn settle_one(&mut self, turn: &Turn, prepared: Prepared, result: Option<PlanResult>) -> Option<Explored> {
        let Prepared { ids, beginning, plan, .. } = prepared;
        // Asked again: with several workers, results of earlier plans may have come in after this one was handed out.
        if self.is_below_known(&beginning) || self.is_known(&ids) {
            self.tally.known += 1;
            return None;
        }
        let reversals = Arc::new(plan.reversals.clone());
        if let Some((facts, order)) = self.equivalent(&ids) {
            self.tally.equivalent += 1;
            self.note(Node { facts, order, reversals });
            return None;
        }
        let parent_order =
            self.names.all(&turn.parent.order.iter().map(|n| turn.parent.facts.ids[*n]).collect::<Vec<_>>());
        let parent = turn.parent.facts.execution.clone();
        let status = match result? {
            Err(reason) => {
                self.tally.failed += 1;
                Status::Failed { reason }
            }
            Ok(execution) => self.learn(turn, &plan, execution, reversals),
        };
        Some(Explored { plan, status, parent_order, parent, recording: self.recording.clone() })
    }

    fn learn(&mut self, turn: &Turn, plan: &Plan, execution: Execution, reversals: Arc<Vec<Reversal>>) -> Status {
        self.tally.uncontrolled |= !execution.notes.is_empty();
        let facts = Arc::new(Facts::of(execution, &self.settings, &mut self.names));
        if self.known.covers(&facts.ids[..facts.taking_part]) {
            self.tally.repeated += 1;
            return Status::Repeated;
        }
        self.tally.orders += 1;
        let diverged = diverged(turn, plan.shared, &facts).map(|id| self.names.name(id).clone());
        self.classes.add(&facts);
        let (execution, feasible, depend) = (facts.execution.clone(), facts.feasible, facts.pairs().collect());
        let order = (0..facts.taking_part).collect();
        self.note(Node { facts, order, reversals });
        Status::New { execution, diverged, feasible, depend }
    }

    /// Remembers an order and plans its reversals.
    fn note(&mut self, node: Node) {
        let node = Arc::new(node);
        let mut ids: Vec<Id> = node.order.iter().map(|number| node.facts.ids[*number]).collect();
        ids.extend(&node.facts.ids[node.facts.taking_part..node.facts.ran]);
        self.known.add(&ids, &node.facts);
        self.waiting.extend(node.turns().into_iter().map(|turn| Some(Waiting { turn, prepared: None })));
    }
}

/// The first event before the reversal that did something else than in the parent.
fn diverged(turn: &Turn, shared: usize, facts: &Facts) -> Option<Id> {
    let parent = &turn.parent;
    let differs = |place: &usize| {
        let number = parent.order[*place];
        facts.ids.get(*place) != Some(&parent.facts.ids[number])
            || facts.touched.get(*place) != Some(&parent.facts.touched[number])
    };
    (0..shared).find(differs).map(|place| parent.facts.ids[parent.order[place]])
}
