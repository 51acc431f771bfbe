//! [`Node`]: all paths of the traffic as a tree, with what was answered at each.

use std::collections::{BTreeMap, BTreeSet};

use super::sample::{Content, Sample};
use crate::schema::Shape;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Segment {
    Constant(String),
    Value,
    /// One or more fragments.
    Rest,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub children: BTreeMap<Segment, Node>,
    pub leaves: BTreeMap<String, Leaf>,
}

/// The samples of one method at one path.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    pub samples: Vec<usize>,
    /// Successful answers in JSON.
    pub shape: Shape,
    /// Media types of the other successful answers; empty for no content.
    pub media: BTreeSet<String>,
}

impl Node {
    pub(super) fn insert(&mut self, segments: &[Segment], method: &str, number: usize, sample: &Sample) {
        let mut node = self;
        for segment in segments {
            node = node.children.entry(segment.clone()).or_default();
        }
        let leaf = node.leaves.entry(method.to_string()).or_default();
        leaf.samples.push(number);
        if !sample.succeeded() {
            return;
        }
        match &sample.answer {
            Content::Json { shape, .. } => leaf.shape.join(shape.clone()),
            Content::Void => {
                leaf.media.insert(String::new());
            }
            Content::Other { media } => {
                leaf.media.insert(media.clone());
            }
        }
    }

    /// Adds everything of another node.
    pub(super) fn absorb(&mut self, other: Node) {
        for (segment, child) in other.children {
            self.children.entry(segment).or_default().absorb(child);
        }
        for (method, leaf) in other.leaves {
            let mine = self.leaves.entry(method).or_default();
            mine.samples.extend(leaf.samples);
            mine.shape.join(leaf.shape);
            mine.media.extend(leaf.media);
        }
    }

    /// Every path with a method, and its samples in order.
    pub(super) fn leaves(&self) -> Vec<(Vec<Segment>, String, Vec<usize>)> {
        let mut found = Vec::new();
        self.visit(&mut Vec::new(), &mut |segments, method, leaf| {
            let mut samples = leaf.samples.clone();
            samples.sort_unstable();
            found.push((segments.to_vec(), method.to_string(), samples));
        });
        found
    }

    pub(super) fn visit<'a>(&'a self, path: &mut Vec<Segment>, tell: &mut impl FnMut(&[Segment], &'a str, &'a Leaf)) {
        for (method, leaf) in &self.leaves {
            tell(path, method, leaf);
        }
        for (segment, child) in &self.children {
            path.push(segment.clone());
            child.visit(path, tell);
            path.pop();
        }
    }
}
