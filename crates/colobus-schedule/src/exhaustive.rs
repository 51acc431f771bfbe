//! [`Exhaustive`]: every order there is, equivalent ones too. For small systems, and to measure the others against.

use std::collections::BTreeSet;

use crate::depth_first::{DepthFirst, Node, Place};
use crate::{Choice, Digest, Divergences, Schedulable, Strategy};

/// Every order, the natural one first.
#[derive(Clone, Debug)]
pub struct Exhaustive<E> {
    tree: DepthFirst<E>,
}

impl<E: Schedulable> Exhaustive<E> {
    pub fn new() -> Exhaustive<E> {
        Exhaustive { tree: DepthFirst::new() }
    }
}

impl<E: Schedulable> Default for Exhaustive<E> {
    fn default() -> Exhaustive<E> {
        Exhaustive::new()
    }
}

impl<E: Schedulable> Strategy<E> for Exhaustive<E> {
    fn begin(&mut self) -> bool {
        self.tree.begin()
    }

    fn choose(&mut self, enabled: &[E]) -> Choice {
        let place = self.tree.follow(enabled);
        if let Place::Planned(index) = place {
            return Choice::Take(index);
        }
        let Some(next) = self.tree.natural(enabled, |_| true) else { return Choice::LetGo };
        let taken = enabled[next].clone();
        if let Place::Lost = place {
            self.tree.stray(&taken);
        } else {
            let mut todo: Vec<E> = Vec::new();
            for event in enabled.iter().filter(|event| **event != taken) {
                if !todo.contains(event) {
                    todo.push(event.clone());
                }
            }
            let enabled = enabled.to_vec();
            self.tree.grow(Node { enabled, taken, todo, done: Vec::new(), asleep: BTreeSet::new() });
        }
        Choice::Take(next)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, outcome: Option<Digest>) {
        self.tree.end(outcome.is_some());
    }

    fn divergences(&self) -> Divergences {
        self.tree.divergences()
    }
}
