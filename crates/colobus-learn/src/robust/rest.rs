//! Paths that are data: where several fragments together are a value that an answer knows (`path: "notes/a.txt"`), they
//! are one parameter that takes the rest.

use std::collections::{BTreeSet, HashSet};

use super::sample::Sample;
use super::trie::Segment;
use crate::schema::format::is_value;
use crate::secret::Secrets;

/// Fragments behind a rest, such as `checkpoints/7`, that are no part of it.
const LONGEST_TAIL: usize = 2;

/// Paths behind which everything is data. Fragments that look like values are `None`.
pub(super) struct Rests(BTreeSet<Vec<Option<String>>>);

fn masked(path: &[String]) -> Vec<Option<String>> {
    path.iter().map(|fragment| (!is_value(fragment)).then(|| fragment.clone())).collect()
}

/// Prefixes behind which a path of at least two fragments is a known value.
pub(super) fn prefixes(samples: &[Sample], known: &HashSet<String>) -> Rests {
    let mut found = BTreeSet::new();
    for sample in samples {
        let path = &sample.request.path;
        for start in 1..path.len() {
            let tails = 0..=LONGEST_TAIL.min(path.len() - start);
            if tails.into_iter().any(|tail| is_known(&path[start..path.len() - tail], known)) {
                found.insert(masked(&path[..start]));
                break;
            }
        }
    }
    Rests(found)
}

fn is_known(fragments: &[String], known: &HashSet<String>) -> bool {
    fragments.len() >= 2 && known.contains(&fragments.join("/"))
}

impl Rests {
    /// A path as segments: constants, values and rests.
    pub(super) fn segments(&self, path: &[String], known: &HashSet<String>, secrets: &Secrets) -> Vec<Segment> {
        let plain = |fragment: &String| {
            let value = is_value(fragment) || secrets.forbids_constant(fragment);
            if value { Segment::Value } else { Segment::Constant(fragment.clone()) }
        };
        let start = (1..path.len()).find(|start| self.0.contains(&masked(&path[..*start])));
        let Some(start) = start else { return path.iter().map(plain).collect() };
        let behind = &path[start..];
        // The longest beginning that is known is the value; what follows it are fragments of their own.
        let tail = (0..=LONGEST_TAIL.min(behind.len() - 1))
            .find(|tail| known.contains(&behind[..behind.len() - tail].join("/")))
            .unwrap_or(0);
        let (before, after) = (&path[..start], &behind[behind.len() - tail..]);
        before.iter().map(plain).chain([Segment::Rest]).chain(after.iter().map(plain)).collect()
    }
}
