//! What priorities save.

use colobus_reach::priority::{Keypad, PRIORITIES, Priority};
use colobus_reach::search::{Limits, Outcome};

use crate::apps;

/// Iterations until line 2 of the keypad (more than 5000) is reached.
fn iterations(priorities: &[&dyn Priority]) -> Option<usize> {
    let fixture = apps::keypad::fixture();
    let mut solver = apps::z3();
    let (summaries, _) = apps::summaries(&fixture.app, &mut solver);
    let limits = Limits { iterations: 15, ways: 4, forward: 0 };
    let found = apps::search_with(&fixture.app, &summaries, 2, &mut solver, limits, priorities);
    matches!(found.outcome, Outcome::Reached(_)).then_some(found.statistics.iterations)
}

#[test]
fn a_keypad_needs_its_own() {
    assert_eq!(iterations(&[&Keypad]), Some(5));
    assert_eq!(iterations(&[]), None);
    assert_eq!(PRIORITIES.len(), 4);
}

#[test]
fn names_tell_them_apart() {
    let names: Vec<&str> = PRIORITIES.iter().map(|priority| priority.name()).collect();
    assert_eq!(names, ["equal effect", "other ways", "undoing", "keypad"]);
}
