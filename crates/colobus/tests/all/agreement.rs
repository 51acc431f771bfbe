//! The measures with which `cargo bench --bench check -- grouping` compares causes with bugs.

#[path = "../../benches/check/grouping/agreement.rs"]
mod measures;

use measures::Agreement;

fn of(things: &[(&str, &str)]) -> Agreement {
    Agreement::of(things.iter().map(|(group, class)| (group.to_string(), class.to_string())))
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} instead of {expected}");
}

#[test]
fn the_same_groups_under_other_names_agree() {
    let same = of(&[("1", "a"), ("1", "a"), ("2", "b"), ("3", "c"), ("3", "c")]);
    assert_eq!((same.groups(), same.classes()), (3, 3));
    near(same.purity(), 1.0);
    near(same.completeness(), 1.0);
    near(same.index(), 1.0);
}

#[test]
fn a_group_for_each_thing_is_pure_and_says_nothing() {
    let split = of(&[("1", "a"), ("2", "a"), ("3", "b"), ("4", "b")]);
    near(split.purity(), 1.0);
    near(split.completeness(), 0.5);
    near(split.index(), 0.0);
}

#[test]
fn one_group_for_all_is_complete_and_not_pure() {
    let joined = of(&[("1", "a"), ("1", "a"), ("1", "a"), ("1", "b")]);
    near(joined.purity(), 0.75);
    near(joined.completeness(), 1.0);
    near(joined.index(), 0.0);
}

/// Six things in two groups and two classes of three: 2 pairs are together in both, 6 in each, of 15.
#[test]
fn the_index_is_adjusted_for_chance() {
    let mixed = of(&[("1", "a"), ("1", "a"), ("1", "b"), ("2", "b"), ("2", "b"), ("2", "a")]);
    near(mixed.purity(), 4.0 / 6.0);
    near(mixed.index(), (2.0 - 2.4) / (6.0 - 2.4));
}

#[test]
fn one_bug_with_one_cause_agrees() {
    near(of(&[("1", "a"), ("1", "a")]).index(), 1.0);
    near(of(&[("1", "a")]).index(), 1.0);
}
