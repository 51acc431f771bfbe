//! The formulas of the priorities, with exact numbers.

use std::collections::BTreeSet;
use std::sync::Arc;

use colobus_explore::{Accesses, Action, Coverage, Feedback, Intervals, Knowledge, Sequence, Waiting, priority};
use colobus_learn::Random;
use colobus_world::ScriptName;

fn action(event: &str) -> Arc<Action> {
    Arc::new(Action { event: event.to_string(), label: event.to_string(), parts: Vec::new() })
}

fn sequence(events: &[&str]) -> Sequence {
    events.iter().fold(Sequence::opened(0), |sequence, event| sequence.then(action(event), 0))
}

fn code(ranges: &[(usize, usize)]) -> Coverage {
    let mut intervals = Intervals::default();
    ranges.iter().for_each(|(start, end)| intervals.add(*start, *end));
    let mut coverage = Coverage::default();
    coverage.add(&ScriptName { url: "a.js".into(), hash: "1".into() }, &intervals);
    coverage
}

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(ToString::to_string).collect()
}

/// The event `a` enters a function of 100 characters, of which 50 ran, and writes x and y; `b` one of which 25 of 100 ran, and
/// reads x, z and w.
fn knowledge() -> Knowledge {
    let mut knowledge = Knowledge::default();
    for (event, ran, entered, reads, writes) in [
        ("a", (100, 150), (100, 200), &[][..], &["x", "y"][..]),
        ("b", (300, 325), (300, 400), &["x", "z", "w"][..], &[][..]),
    ] {
        let accesses = Some(Accesses { reads: names(reads), writes: names(writes) });
        let (covered, entered) = (code(&[ran]), code(&[entered]));
        let told = Feedback { complete: true, covered, entered, accesses, ..Feedback::default() };
        let state = knowledge.learn(1, &sequence(&[event]), Some(0), &told);
        assert_eq!(state, Some(0));
    }
    knowledge
}

fn value(name: &str, events: &[&str]) -> f64 {
    let sequence = sequence(events);
    let waiting = Waiting { sequence: &sequence, state: Some(0) };
    priority(name).unwrap().of(waiting, &knowledge(), &mut Random::new(1))
}

fn near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one} is not {other}");
}

#[test]
fn coverage_is_one_minus_the_product_of_what_ran() {
    near(value("coverage", &["a"]), 0.5);
    near(value("coverage", &["a", "b"]), 1.0 - 0.5 * 0.25);
    near(value("coverage", &["a", "b", "new"]), 1.0);
}

#[test]
fn read_write_is_the_share_of_reads_that_were_written_before() {
    near(value("read-write", &["a", "b"]), (1.0 + 1.0) / (3.0 + 1.0));
    near(value("read-write", &["b"]), 1.0 / 4.0);
    near(value("read-write", &["b", "a"]), 1.0);
    near(value("combined", &["a", "b"]), (1.0 - 0.5 * 0.25) * 0.5);
}

#[test]
fn without_feedback_all_are_alike_or_random_in_the_unit_interval() {
    near(value("constant", &["a", "b", "a"]), 1.0);
    let random = value("random", &["a"]);
    assert!((0.0..1.0).contains(&random), "{random}");
}

#[test]
fn what_was_not_done_in_a_state_comes_before_what_was() {
    let mut knowledge = knowledge();
    let states = priority("states").unwrap();
    let of = |knowledge: &Knowledge, events: &[&str]| {
        let sequence = sequence(events);
        states.of(Waiting { sequence: &sequence, state: Some(0) }, knowledge, &mut Random::new(1))
    };
    near(of(&knowledge, &["b"]), 0.2 + 0.8 * 0.75);
    knowledge.attempt(Some(0), &sequence(&["b"]));
    near(of(&knowledge, &["b"]), 0.8 * 0.6 / 2.0);
    near(of(&knowledge, &["a", "b"]), 0.8 * 0.6);
    near(of(&knowledge, &["new"]), 1.0);
}
