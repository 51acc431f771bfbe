//! Effects, equivalence and conflicts, on a text editor small enough to think through. Its "screen" is a document of
//! three lines, so that what overlaps is plain to see.

use colobus_model::{Aspect, Observation};
use colobus_pairs::{ActionTree, EffectMap, Exploration, Node, combinations};
use serde_json::json;

/// Three cells; action 0 fills the first free one, action 1 marks the first, action 2 does nothing, action 3 sets the last.
fn perform(cells: &mut [String; 3], action: usize) {
    match action {
        0 => {
            if let Some(free) = cells.iter_mut().find(|cell| cell.is_empty()) {
                *free = "x".into();
            }
        }
        1 => cells[0] = "marked".into(),
        3 => cells[2] = "z".into(),
        _ => {}
    }
}

fn explored(tree: &ActionTree, applies: impl Fn(&[usize]) -> bool) -> Exploration {
    let mut exploration = Exploration::default();
    for sequence in tree.sources().chain(tree.leaves()) {
        let mut cells = Default::default();
        sequence.iter().for_each(|action| perform(&mut cells, *action));
        let node = match applies(&sequence) {
            true => Node::Seen(Observation { state: Some(json!(cells)), ..Observation::default() }),
            false => Node::NotApplicable(no_button()),
        };
        exploration.insert(sequence, node);
    }
    exploration
}

fn effect_map(depth: usize, applies: impl Fn(&[usize]) -> bool) -> EffectMap {
    let tree = ActionTree { actions: 4, depth };
    EffectMap::read(&tree, &explored(&tree, applies), Aspect::State, Aspect::State, &[]).unwrap()
}

fn pairs(effect_map: &EffectMap) -> Vec<(Vec<usize>, Vec<usize>)> {
    let all = combinations(4, 2, false, false);
    let conflicts = effect_map.conflicts(&all);
    conflicts.into_iter().map(|conflict| (conflict.prefix.to_vec(), conflict.actions.to_vec())).collect()
}

#[test]
fn only_overlapping_effects_conflict_and_empty_ones_never_do() {
    assert_eq!(pairs(&effect_map(1, |_| true)), [(vec![], vec![0, 1])]);
}

#[test]
fn equivalent_states_are_searched_once() {
    let effect_map = effect_map(2, |_| true);
    assert_eq!(effect_map.source_states(), 5);
    // Doing nothing leads back to the empty document.
    assert_eq!(effect_map.equivalence_classes(), 4);
    let expected = [
        (vec![], vec![0, 1]),
        // In the state after "fill": the next fill is the second cell, marking is the first.
        // In the state after "mark": as above, and marking again changes nothing.
        // In the state after "set last": fill and mark meet in the first cell.
        (vec![3], vec![0, 1]),
    ];
    assert_eq!(pairs(&effect_map), expected);
}

#[test]
fn states_that_cannot_be_reached_take_no_part() {
    let effect_map = effect_map(2, |sequence| sequence.first() != Some(&3));
    assert_eq!(effect_map.source_states(), 4);
    assert_eq!(pairs(&effect_map), [(vec![], vec![0, 1])]);
}

#[test]
fn a_missing_aspect_is_an_error_and_not_an_empty_effect() {
    let tree = ActionTree { actions: 4, depth: 1 };
    let exploration = explored(&tree, |_| true);
    let error = EffectMap::read(&tree, &exploration, Aspect::Pixels, Aspect::State, &[]).unwrap_err();
    assert_eq!(error.to_string(), "the pixels of an observation is missing");
}

fn no_button() -> colobus_model::NotApplicable {
    colobus_model::NotApplicable { action: "save".into(), step: None, reason: "no button".into(), threw: false }
}
