//! Events that conflict by their names and touch nothing in common: what an execution shows of them leaves out orders, and no
//! outcome.

use std::collections::BTreeSet;

use colobus_schedule::{Bounded, Choice, Digest, Dpor, Execution, Schedulable, Strategy, System};
use proptest::prelude::*;

use crate::systems::all_orders;
use crate::systems::threads::{Threads, Write};

/// An event of which the name says nothing: it conflicts with every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unknown(Write);

impl Schedulable for Unknown {
    fn conflicts(&self, _other: &Unknown) -> bool {
        true
    }

    fn is_ordered_with(&self, other: &Unknown) -> bool {
        self.0.is_ordered_with(&other.0)
    }

    fn is_step(&self) -> bool {
        self.0.is_step()
    }

    fn is_fault(&self) -> bool {
        false
    }

    fn repairs(&self, _fault: &Unknown) -> bool {
        false
    }

    fn comes_last(&self) -> bool {
        false
    }

    fn is_flush(&self) -> bool {
        false
    }
}

/// How many orders were executed, and how they ended.
#[derive(Debug, PartialEq, Eq)]
struct Explored {
    executions: usize,
    outcomes: BTreeSet<Digest>,
}

/// Lets a strategy loose on threads; `tells` whether it is told which events touched nothing in common.
fn explored(start: &Threads, mut strategy: impl Strategy<Unknown>, tells: bool) -> Explored {
    let mut found = Explored { executions: 0, outcomes: BTreeSet::new() };
    while strategy.begin() {
        let mut system = start.clone();
        let mut execution: Execution<Unknown> = Execution::default();
        let abandoned = loop {
            let enabled: Vec<Unknown> = system.enabled().into_iter().map(Unknown).collect();
            if enabled.is_empty() {
                break false;
            }
            let Choice::Take(index) = strategy.choose(&enabled) else { break true };
            system.perform(&enabled[index].0);
            execution.record(&enabled, &enabled[index]);
        };
        if tells {
            strategy.commuted(&apart(&execution.order()));
        }
        strategy.end((!abandoned).then(|| system.digest()));
        if !abandoned {
            found.executions += 1;
            found.outcomes.insert(system.digest());
        }
    }
    found
}

/// Pairs of events that write different variables.
fn apart(order: &[Unknown]) -> Vec<(usize, usize)> {
    let pairs = (0..order.len()).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    pairs.filter(|(earlier, later)| !order[*earlier].0.conflicts(&order[*later].0)).collect()
}

fn outcomes(start: &Threads) -> BTreeSet<Digest> {
    let end = |order: &Vec<Write>| {
        let mut system = start.clone();
        order.iter().for_each(|event| system.perform(event));
        system.digest()
    };
    all_orders(start).iter().map(end).collect()
}

/// Four events that write four variables: 24 orders by name, one by what they touch.
#[test]
fn events_that_touch_nothing_in_common_are_not_turned_round() {
    let system = Threads::new(&[&[1], &[2], &[4], &[8]]);
    assert_eq!(explored(&system, Bounded::nearest_first(vec![Vec::new()]), false).executions, 24);
    assert_eq!(explored(&system, Bounded::nearest_first(vec![Vec::new()]), true).executions, 1);
    assert_eq!(explored(&system, Dpor::new(), false).executions, 24);
    assert_eq!(explored(&system, Dpor::new(), true).executions, 1);
}

/// Two of the four write the same variable: their two orders are left, and both outcomes.
#[test]
fn a_conflict_keeps_its_orders() {
    let system = Threads::new(&[&[1], &[2], &[1], &[8]]);
    let found = explored(&system, Bounded::nearest_first(vec![Vec::new()]), true);
    assert_eq!((found.executions, found.outcomes), (2, outcomes(&system)));
    assert_eq!(outcomes(&system).len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_outcome_is_lost(system in Threads::any_with_single_causes()) {
        let coarse = explored(&system, Bounded::nearest_first(vec![Vec::new()]), false);
        let precise = explored(&system, Bounded::nearest_first(vec![Vec::new()]), true);
        prop_assert_eq!(&precise.outcomes, &outcomes(&system));
        prop_assert!(precise.executions <= coarse.executions);
        let precise = explored(&system, Dpor::new(), true);
        prop_assert_eq!(&precise.outcomes, &outcomes(&system));
    }
}
