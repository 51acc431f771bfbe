//! Small worlds with known numbers of orders, and a plain enumeration to measure strategies against.

pub mod editors;
pub mod threads;

use std::collections::{BTreeMap, BTreeSet};

use colobus_schedule::{Digest, Execution, Schedulable, Strategy, System, explore};

/// Every maximal order, by copying the state at each branch: no strategy is involved.
pub fn all_orders<S: System + Clone>(start: &S) -> Vec<Vec<S::Event>> {
    fn extend<S: System + Clone>(system: &S, order: &mut Vec<S::Event>, all: &mut Vec<Vec<S::Event>>) {
        let enabled = system.enabled();
        if enabled.is_empty() {
            all.push(order.clone());
        }
        for event in BTreeSet::from_iter(enabled) {
            let mut next = system.clone();
            next.perform(&event);
            order.push(event);
            extend(&next, order, all);
            order.pop();
        }
    }
    let mut all = Vec::new();
    extend(start, &mut Vec::new(), &mut all);
    all
}

/// How many maximal orders there are, where there are too many to list: equal states have equally many.
pub fn order_count<S: System + Clone>(start: &S) -> u64 {
    fn count<S: System + Clone>(system: &S, known: &mut BTreeMap<Digest, u64>) -> u64 {
        if let Some(count) = known.get(&system.digest()) {
            return *count;
        }
        let after = |event: &S::Event| {
            let mut next = system.clone();
            next.perform(event);
            next
        };
        let next: Vec<S> = BTreeSet::from_iter(system.enabled()).iter().map(after).collect();
        let total = if next.is_empty() { 1 } else { next.iter().map(|system| count(system, known)).sum() };
        known.insert(system.digest(), total);
        total
    }
    count(start, &mut BTreeMap::new())
}

/// Which occurrences an order has, and of any two that conflict which comes first: equal exactly for equivalent orders.
pub type Class<E> = (BTreeSet<Turn<E>>, BTreeSet<(Turn<E>, Turn<E>)>);
pub type Turn<E> = (E, usize);

pub fn class<E: Schedulable>(order: &[E]) -> Class<E> {
    let turns = turns(order);
    let mut pairs = BTreeSet::new();
    for (position, later) in turns.iter().enumerate() {
        let earlier = turns[..position].iter().filter(|earlier| earlier.0.conflicts(&later.0));
        pairs.extend(earlier.map(|earlier| (earlier.clone(), later.clone())));
    }
    (turns.into_iter().collect(), pairs)
}

fn turns<E: Schedulable>(order: &[E]) -> Vec<Turn<E>> {
    let mut counts = BTreeMap::new();
    let mut turn = |event: &E| {
        let count = counts.entry(event.clone()).or_insert(0);
        *count += 1;
        (event.clone(), *count)
    };
    order.iter().map(&mut turn).collect()
}

pub fn classes<E: Schedulable>(orders: &[Vec<E>]) -> BTreeSet<Class<E>> {
    orders.iter().map(|order| class(order)).collect()
}

/// How many conflicting pairs the two classes have in different orders.
pub fn pairs_apart<E: Schedulable>(one: &Class<E>, other: &Class<E>) -> usize {
    one.1.difference(&other.1).count()
}

/// All executions that a strategy asks for.
pub fn executions<S: System + Clone>(start: &S, strategy: &mut dyn Strategy<S::Event>) -> Vec<Execution<S::Event>> {
    let mut all = Vec::new();
    explore(strategy, || start.clone(), |execution, _| all.push(execution.clone()));
    all
}

/// The complete orders that a strategy asks for.
pub fn orders<S: System + Clone>(start: &S, strategy: &mut dyn Strategy<S::Event>) -> Vec<Vec<S::Event>> {
    let complete = executions(start, strategy).into_iter().filter(|execution| execution.complete);
    complete.map(|execution| execution.order()).collect()
}

/// The state after an order, or `None` if one of its events is not enabled in its turn.
pub fn after<S: System + Clone>(start: &S, order: &[S::Event]) -> Option<S> {
    let mut system = start.clone();
    for event in order {
        if !system.enabled().contains(event) {
            return None;
        }
        system.perform(event);
    }
    Some(system)
}
