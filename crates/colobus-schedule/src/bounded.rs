//! [`Bounded`]: the neighbourhood of one or more orders. A conflict reversal turns round one race of an executed order
//! and leaves the rest as it was; orders come by how many reversals they are away, those that touch what users do first,
//! and no two of them are equivalent. Pairs that an execution showed to commute are not turned round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::causality::{Causality, Race};
use crate::replay::Follower;
use crate::{Choice, Digest, Divergences, Execution, Moment, NormalForm, Schedulable, Strategy};

/// All orders within a number of conflict reversals.
#[derive(Clone, Debug)]
pub struct Bounded<E> {
    bound: Option<usize>,
    waiting: BTreeMap<Turn, Plan<E>>,
    planned: BTreeSet<NormalForm<E>>,
    executed: BTreeSet<NormalForm<E>>,
    /// What was possible after each beginning of an executed order.
    possible: BTreeMap<NormalForm<E>, Vec<E>>,
    /// Executions that showed events to commute: what is equivalent to one of these is not run.
    commuted: Vec<Causality<E>>,
    current: Option<Current<E>>,
    turn: Turn,
    divergences: Divergences,
}

/// When a plan has its turn: few reversals first, then near to user steps, then in the order of discovery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    reversals: usize,
    distance_from_steps: usize,
    serial: usize,
}

#[derive(Clone, Debug)]
struct Plan<E> {
    order: Vec<E>,
    beginning: Beginning<E>,
}

/// The execution a plan was made from, and how many of its first events the plan repeats.
#[derive(Clone, Debug)]
struct Beginning<E> {
    parent: Arc<Execution<E>>,
    length: usize,
}

impl<E: Schedulable> Beginning<E> {
    fn offers_other_than(&self, position: usize, enabled: &[E]) -> bool {
        let moment = self.parent.moments.get(position).filter(|_| position < self.length);
        moment.is_some_and(|known| {
            known.enabled.len() != enabled.len() || !enabled.iter().all(|e| known.enabled.contains(e))
        })
    }
}

#[derive(Clone, Debug)]
struct Current<E> {
    beginning: Beginning<E>,
    changed: bool,
    follower: Follower<E>,
    execution: Execution<E>,
}

impl<E: Schedulable> Bounded<E> {
    /// All orders within `bound` reversals of the natural one.
    pub fn around_natural(bound: usize) -> Bounded<E> {
        Bounded::new(vec![Vec::new()], Some(bound))
    }

    /// All orders within `bound` reversals of one of these. What an order leaves out happens after it, naturally.
    pub fn around(orders: Vec<Vec<E>>, bound: usize) -> Bounded<E> {
        Bounded::new(orders, Some(bound))
    }

    /// One order of each equivalence class that reversals lead to from these (the natural one is the empty one), the
    /// nearest first: to be [limited](crate::Limit).
    pub fn nearest_first(orders: Vec<Vec<E>>) -> Bounded<E> {
        Bounded::new(orders, None)
    }

    fn new(orders: Vec<Vec<E>>, bound: Option<usize>) -> Bounded<E> {
        let nothing = Beginning { parent: Arc::new(Execution::default()), length: 0 };
        let waiting = orders
            .into_iter()
            .enumerate()
            .map(|(serial, order)| (Turn { serial, ..Turn::default() }, Plan { order, beginning: nothing.clone() }));
        Bounded {
            bound,
            waiting: waiting.collect(),
            planned: BTreeSet::new(),
            executed: BTreeSet::new(),
            possible: BTreeMap::new(),
            commuted: Vec::new(),
            current: None,
            turn: Turn::default(),
            divergences: Divergences::default(),
        }
    }

    /// How many reversals the current or last execution is away from where the search started.
    pub fn reversals(&self) -> usize {
        self.turn.reversals
    }

    /// Whether the order would only repeat an executed one, as far as memory tells. A reversal can take away what came
    /// after it, above all one of a cut: what is left is often not new.
    fn is_known(&self, order: &[E]) -> bool {
        let mut follower = Follower::new(order.to_vec());
        let mut form = NormalForm::of(&[]);
        while let Some(enabled) = self.possible.get(&form) {
            let Some(next) = follower.next(enabled) else { return true };
            form.push(&enabled[next]);
        }
        follower.to_come().iter().for_each(|event| form.push(event));
        self.executed.contains(&form)
    }

    /// Whether it was new.
    fn remember(&mut self, execution: &Execution<E>) -> bool {
        let mut form = NormalForm::of(&[]);
        for Moment { enabled, taken } in &execution.moments {
            self.possible.entry(form.clone()).or_insert_with(|| enabled.clone());
            form.push(taken);
        }
        if execution.complete {
            self.possible.entry(form.clone()).or_default();
        }
        self.executed.insert(form)
    }

    fn plan_reversals(&mut self, execution: Arc<Execution<E>>) {
        let causality = Causality::observed(&execution);
        let order = causality.order();
        for race in causality.races() {
            let beginning = Beginning { parent: execution.clone(), length: race.first };
            self.plan(causality.reversed(race), beginning, distance_from_steps(order, race));
        }
        for position in 0..order.len() {
            let race = Race { first: position, second: position };
            for event in execution.disabled(position) {
                let beginning = Beginning { parent: execution.clone(), length: position };
                let earlier = [&order[..position], std::slice::from_ref(event), &order[position..]].concat();
                self.plan(earlier, beginning, distance_from_steps(order, race));
            }
        }
    }

    fn plan(&mut self, order: Vec<E>, beginning: Beginning<E>, distance_from_steps: usize) {
        let form = NormalForm::of(&order);
        if self.executed.contains(&form) || !self.planned.insert(form) {
            return;
        }
        let turn = Turn {
            reversals: self.turn.reversals + 1,
            distance_from_steps: self.turn.distance_from_steps + distance_from_steps,
            serial: self.planned.len(),
        };
        self.waiting.insert(turn, Plan { order, beginning });
    }
}

/// How far the race is from the nearest thing that a user does.
fn distance_from_steps<E: Schedulable>(order: &[E], race: Race) -> usize {
    let steps = order.iter().enumerate().filter(|(_, event)| event.is_step());
    let distance = |(step, _): (usize, &E)| race.first.abs_diff(step).min(race.second.abs_diff(step));
    steps.map(distance).min().unwrap_or(order.len())
}

impl<E: Schedulable> Strategy<E> for Bounded<E> {
    fn begin(&mut self) -> bool {
        while let Some((turn, Plan { order, beginning })) = self.waiting.pop_first() {
            if self.is_known(&order) || self.commuted.iter().any(|executed| executed.is_equivalent(&order)) {
                continue;
            }
            let (follower, execution) = (Follower::new(order), Execution::default());
            self.turn = turn;
            self.current = Some(Current { beginning, changed: false, follower, execution });
            return true;
        }
        false
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        let Some(current) = &mut self.current else { return Choice::LetGo };
        let position = current.execution.moments.len();
        current.changed |= current.beginning.offers_other_than(position, enabled);
        let Some(next) = current.follower.next(enabled) else { return Choice::LetGo };
        current.execution.record(enabled, &enabled[next]);
        Choice::Take(next)
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        if let Some(current) = &mut self.current {
            current.execution.commuting.extend(pairs);
        }
    }

    fn end(&mut self, outcome: Option<Digest>) {
        let Some(Current { changed, follower, mut execution, .. }) = self.current.take() else { return };
        execution.complete = outcome.is_some();
        self.divergences.changed += usize::from(changed);
        self.divergences.skipped += follower.finish().skipped.len();
        if execution.complete && !execution.commuting.is_empty() {
            self.commuted.push(Causality::observed(&execution));
        }
        if !self.remember(&execution) {
            self.divergences.repeated += 1;
        } else if self.bound.is_none_or(|bound| self.turn.reversals < bound) {
            self.plan_reversals(Arc::new(execution));
        }
    }

    fn divergences(&self) -> Divergences {
        self.divergences
    }
}
