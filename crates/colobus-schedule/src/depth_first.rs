//! [`DepthFirst`]: a walk through the tree of executions without a copy of the world. It keeps the path of the current
//! execution and what is still to be tried along it; each execution repeats the path to its last open branch.

use std::collections::BTreeSet;

use crate::natural::Arrivals;
use crate::{Divergences, Execution, Schedulable};

/// A moment of the current path.
#[derive(Clone, Debug)]
pub(crate) struct Node<E> {
    pub enabled: Vec<E>,
    pub taken: E,
    /// Alternatives to come, the next one first.
    pub todo: Vec<E>,
    /// Alternatives whose subtrees are finished.
    pub done: Vec<E>,
    /// Events that lead from here only to orders that were executed elsewhere.
    pub asleep: BTreeSet<E>,
}

#[derive(Clone, Debug)]
pub(crate) struct DepthFirst<E> {
    path: Vec<Node<E>>,
    depth: usize,
    begun: bool,
    /// The world left the path: what follows is executed, but is no part of the tree.
    lost: bool,
    /// The path is tried a second time because the world left it the first time.
    second_try: bool,
    changed: bool,
    arrivals: Arrivals<E>,
    divergences: Divergences,
}

/// Where an execution is.
pub(crate) enum Place {
    /// Something is planned: the enabled event at this index.
    Planned(usize),
    /// Beyond the path, on new ground.
    New,
    /// Beyond the path, which the world has left.
    Lost,
}

impl<E: Schedulable> DepthFirst<E> {
    pub fn new() -> DepthFirst<E> {
        DepthFirst {
            path: Vec::new(),
            depth: 0,
            begun: false,
            lost: false,
            second_try: false,
            changed: false,
            arrivals: Arrivals::default(),
            divergences: Divergences::default(),
        }
    }

    /// Goes back to the last branch that is still open; false if there is none.
    pub fn begin(&mut self) -> bool {
        let again = self.lost && !self.second_try;
        let open = again || !self.begun || self.branch();
        (self.begun, self.second_try) = (true, again);
        (self.depth, self.lost, self.changed) = (0, false, false);
        self.arrivals = Arrivals::default();
        open
    }

    fn branch(&mut self) -> bool {
        while let Some(node) = self.path.last_mut() {
            if node.todo.is_empty() {
                self.path.pop();
                continue;
            }
            let next = node.todo.remove(0);
            node.done.push(std::mem::replace(&mut node.taken, next));
            return true;
        }
        false
    }

    /// Has to be called once for every moment.
    pub fn follow(&mut self, enabled: &[E]) -> Place {
        self.arrivals.observe(enabled);
        while let Some(node) = self.path.get(self.depth) {
            self.depth += 1;
            let offered = |event| enabled.contains(event);
            self.changed |= enabled.len() != node.enabled.len() || !node.enabled.iter().all(offered);
            if let Some(index) = enabled.iter().position(|event| *event == node.taken) {
                self.arrivals.taken(&node.taken);
                return Place::Planned(index);
            }
            self.lost = true;
            self.divergences.skipped += 1;
        }
        if self.lost { Place::Lost } else { Place::New }
    }

    /// What comes next by itself, among the enabled events that may.
    pub fn natural(&self, enabled: &[E], may: impl Fn(&E) -> bool) -> Option<usize> {
        self.arrivals.next(enabled, may)
    }

    /// Takes an event off the path, in an execution that is lost.
    pub fn stray(&mut self, event: &E) {
        self.arrivals.taken(event);
    }

    /// Takes an event on new ground.
    pub fn grow(&mut self, node: Node<E>) {
        self.arrivals.taken(&node.taken);
        self.path.push(node);
        self.depth += 1;
    }

    pub fn last(&self) -> Option<&Node<E>> {
        self.path.last()
    }

    pub fn node(&mut self, position: usize) -> Option<&mut Node<E>> {
        self.path.get_mut(position)
    }

    /// Ends the execution, and returns it if it was the path.
    pub fn end(&mut self, complete: bool) -> Option<Execution<E>> {
        if self.depth < self.path.len() {
            self.lost = true;
            self.changed = true;
        }
        self.divergences.changed += usize::from(self.changed);
        if self.lost {
            return None;
        }
        let mut execution = Execution { complete, ..Execution::default() };
        for node in &self.path {
            execution.record(&node.enabled, &node.taken);
        }
        Some(execution)
    }

    pub fn divergences(&self) -> Divergences {
        self.divergences
    }
}
