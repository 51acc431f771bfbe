//! [`Dpor`]: at least one order of each equivalence class, and hardly more. Dynamic partial-order reduction with source
//! sets and sleep sets, on what executions show: after each, every race in it opens a branch where its second event can
//! come first, unless a branch that is already there leads to the same orders.

use std::collections::BTreeSet;

use crate::causality::{Causality, Race};
use crate::depth_first::{DepthFirst, Node, Place};
use crate::{Choice, Digest, Divergences, Execution, Schedulable, Strategy};

/// One order of each equivalence class, the natural one first.
#[derive(Clone, Debug)]
pub struct Dpor<E> {
    tree: DepthFirst<E>,
    abandoned: usize,
    /// Of the current execution.
    commuting: BTreeSet<(usize, usize)>,
}

impl<E: Schedulable> Dpor<E> {
    pub fn new() -> Dpor<E> {
        Dpor { tree: DepthFirst::new(), abandoned: 0, commuting: BTreeSet::new() }
    }

    /// How many executions were cut short because they could only repeat an earlier one.
    pub fn abandoned(&self) -> usize {
        self.abandoned
    }

    /// What leads nowhere new from the state after the current path.
    fn asleep_now(&self, enabled: &[E]) -> BTreeSet<E> {
        let Some(last) = self.tree.last() else { return BTreeSet::new() };
        let still_asleep = |event: &&E| !event.conflicts(&last.taken) && enabled.contains(event);
        last.asleep.iter().chain(&last.done).filter(still_asleep).cloned().collect()
    }

    fn open_branches(&mut self, execution: &Execution<E>) {
        let causality = Causality::observed(execution);
        for race in causality.races() {
            self.open(race.first, &initials(&causality, race));
        }
        for position in 0..execution.moments.len() {
            for event in execution.disabled(position) {
                self.open(position, std::slice::from_ref(event));
            }
        }
    }

    /// Makes sure that one of these events is tried at this moment of the path. If the world offered none of them then,
    /// something was needed first that the execution did not show, and everything it did offer is tried.
    fn open(&mut self, position: usize, initials: &[E]) {
        let Some(node) = self.tree.node(position) else { return };
        let is_covered = |node: &Node<E>, event: &E| {
            node.taken == *event
                || [&node.todo, &node.done].iter().any(|l| l.contains(event))
                || node.asleep.contains(event)
        };
        let possible: Vec<&E> = initials.iter().filter(|event| node.enabled.contains(event)).collect();
        if possible.iter().any(|event| is_covered(node, event)) {
            return;
        }
        match possible.first() {
            Some(event) => node.todo.push((*event).clone()),
            None => {
                let missing: Vec<E> = node.enabled.iter().filter(|event| !is_covered(node, event)).cloned().collect();
                node.todo.extend(missing);
            }
        }
    }
}

/// The events with which a detour around the race's first event can start.
fn initials<E: Schedulable>(causality: &Causality<E>, race: Race) -> Vec<E> {
    let detour = causality.detour(race);
    let is_initial = |k: &&usize| !detour.iter().any(|earlier| causality.happens_before(*earlier, **k));
    detour.iter().filter(is_initial).map(|k| causality.order()[*k].clone()).collect()
}

impl<E: Schedulable> Default for Dpor<E> {
    fn default() -> Dpor<E> {
        Dpor::new()
    }
}

impl<E: Schedulable> Strategy<E> for Dpor<E> {
    fn begin(&mut self) -> bool {
        self.tree.begin()
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        match self.tree.follow(enabled) {
            Place::Planned(index) => Choice::Take(index),
            Place::Lost => {
                let Some(next) = self.tree.natural(enabled, |_| true) else { return Choice::LetGo };
                self.tree.stray(&enabled[next]);
                Choice::Take(next)
            }
            Place::New => {
                let asleep = self.asleep_now(enabled);
                let Some(next) = self.tree.natural(enabled, |event| !asleep.contains(event)) else {
                    self.abandoned += 1;
                    return Choice::Abandon;
                };
                let (enabled, taken) = (enabled.to_vec(), enabled[next].clone());
                self.tree.grow(Node { enabled, taken, todo: Vec::new(), done: Vec::new(), asleep });
                Choice::Take(next)
            }
        }
    }

    fn commuted(&mut self, pairs: &[(usize, usize)]) {
        self.commuting.extend(pairs);
    }

    fn end(&mut self, outcome: Option<Digest>) {
        let commuting = std::mem::take(&mut self.commuting);
        if let Some(execution) = self.tree.end(outcome.is_some()) {
            let execution = Execution { commuting, ..execution };
            self.open_branches(&execution);
        }
    }

    fn divergences(&self) -> Divergences {
        self.tree.divergences()
    }
}
