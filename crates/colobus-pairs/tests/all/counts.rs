//! How much there is to do, pinned: a lost or doubled sequence shows here.

use std::collections::BTreeSet;

use colobus_pairs::{ActionTree, combinations};
use proptest::prelude::*;

fn counts(actions: usize, depth: usize) -> (usize, usize, usize) {
    let tree = ActionTree { actions, depth };
    (tree.sequences(), tree.source_states(), tree.naive(combinations(actions, 2, false, false).len()))
}

#[test]
fn the_counts_of_the_published_experiments() {
    assert_eq!(counts(5, 3), (125, 31, 310));
    assert_eq!(counts(10, 1), (10, 1, 45));
    assert_eq!(counts(10, 2), (100, 11, 495));
    assert_eq!(counts(10, 3), (1_000, 111, 4_995));
    assert_eq!(counts(15, 3), (3_375, 241, 25_305));
}

#[test]
fn counts_beyond_all_measure_saturate() {
    assert_eq!(counts(1_000, 100), (usize::MAX, usize::MAX, usize::MAX));
}

#[test]
fn combinations_are_unordered_and_distinct_unless_equal_ones_are_allowed() {
    assert_eq!(combinations(3, 2, false, false), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(combinations(2, 2, true, false), [[0, 0], [0, 1], [1, 1]]);
    assert_eq!(combinations(10, 3, false, false).len(), 120);
    assert_eq!(combinations(1, 2, false, false).len(), 0);
    assert_eq!(combinations(2, 2, false, true), [[0, 1], [1, 0]]);
    assert_eq!(combinations(2, 2, true, true), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(combinations(4, 3, false, true).len(), 24);
}

#[test]
fn sources_come_shortest_first() {
    let sources: Vec<_> = ActionTree { actions: 2, depth: 3 }.sources().collect();
    assert_eq!(sources, [vec![], vec![0], vec![1], vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]);
}

proptest! {
    #[test]
    fn every_node_is_seen_first_in_exactly_one_leaf(actions in 1usize..5, depth in 1usize..5) {
        let tree = ActionTree { actions, depth };
        let mut seen = BTreeSet::new();
        for leaf in tree.leaves() {
            for length in tree.first_seen_from(&leaf)..=depth {
                prop_assert!(seen.insert(leaf[..length].to_vec()), "seen twice");
            }
        }
        prop_assert_eq!(seen.len(), tree.source_states() + tree.sequences());
    }
}
