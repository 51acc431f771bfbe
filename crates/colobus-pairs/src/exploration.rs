//! [`Exploration`]: what phase 1 saw, node by node.

use std::collections::{BTreeMap, BTreeSet};

use colobus_model::{NotApplicable, Observation};

use crate::Sequence;

/// What one client showed after each sequence of actions.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    nodes: BTreeMap<Sequence, Node>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Seen(Observation),
    /// The last action does not apply in the state before it; nothing lies below.
    NotApplicable(NotApplicable),
    /// Nothing can be said of this state, and why; nothing lies below.
    Unknown(String),
}

impl Exploration {
    pub fn insert(&mut self, sequence: Sequence, node: Node) {
        self.nodes.insert(sequence, node);
    }

    /// Sequences of which nothing can be said, and why.
    pub fn unknown(&self) -> impl Iterator<Item = (&Sequence, &str)> {
        self.nodes.iter().filter_map(|(sequence, node)| match node {
            Node::Unknown(reason) => Some((sequence, reason.as_str())),
            _ => None,
        })
    }

    pub fn node(&self, sequence: &[usize]) -> Option<&Node> {
        self.nodes.get(sequence)
    }

    pub fn observation(&self, sequence: &[usize]) -> Option<&Observation> {
        match self.nodes.get(sequence) {
            Some(Node::Seen(observation)) => Some(observation),
            _ => None,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Texts of all errors that some sequential run had: they are not news in a concurrent one.
    pub fn errors(&self) -> BTreeSet<String> {
        let seen = self.nodes.values().filter_map(|node| match node {
            Node::Seen(observation) => Some(observation),
            _ => None,
        });
        seen.flat_map(|observation| observation.errors.iter().map(|error| error.text.clone())).collect()
    }
}
