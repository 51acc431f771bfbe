use super::commute::RULES;
use super::*;
use crate::model::{AccessKind, EventKind, Executed, PageEvent};

fn place(name: &str) -> Place {
    match name.strip_prefix('#') {
        Some(element) => Place::Children { element: element.into() },
        None => Place::Global { name: name.into() },
    }
}

/// `"w x=1"` writes 1 to the global x, `"r #list"` reads the children of the element list.
fn access(text: &str) -> Access {
    let (kind, rest) = text.split_once(' ').unwrap();
    let (name, value) = rest.split_once('=').map_or((rest, None), |(name, value)| (name, value.parse().ok()));
    let kind = match kind {
        "r" => AccessKind::Read,
        "w" => AccessKind::Write,
        "add" => AccessKind::Add,
        "put" => AccessKind::Insert,
        _ => AccessKind::Initialise,
    };
    Access { value, ..Access::new(place(name), kind) }
}

fn event(name: &str, accesses: &[&str]) -> Executed {
    Executed {
        event: PageEvent::new(name, EventKind::IdleCallback),
        planned: true,
        at: 0,
        accesses: accesses.iter().map(|text| access(text)).collect(),
        touched: None,
        disables: Vec::new(),
        opaque: None,
    }
}

fn conflicts(ran: Vec<Executed>) -> Vec<(usize, usize)> {
    let execution = Execution { ran, ..Execution::default() };
    let relation = Relation::of(&execution, execution.ran.len(), &RULES);
    relation.conflicts().iter().map(|conflict| (conflict.first, conflict.second)).collect()
}

fn of(events: &[&[&str]]) -> Vec<(usize, usize)> {
    let name = |number: usize| format!("e{number}");
    conflicts(events.iter().enumerate().map(|(number, accesses)| event(&name(number), accesses)).collect())
}

#[test]
fn a_conflict_that_needs_another_reversal_first_is_not_relevant() {
    assert_eq!(of(&[&["w x=1"], &["r x"], &["w x=2"]]), [(0, 1), (1, 2)]);
    assert_eq!(of(&[&["w x=1", "w y=1"], &["r x", "w z=1"], &["r y", "r z"]]), [(0, 1), (1, 2)]);
    assert_eq!(of(&[&["w x=1"], &["r x"], &["r x"], &["w x=2"]]), [(0, 1), (0, 2), (2, 3), (1, 3)]);
}

#[test]
fn a_writer_is_compared_with_earlier_ones_that_the_last_commutes_with() {
    // e0 and e1 write the same value: e2 conflicts with both.
    assert_eq!(of(&[&["w #x=1"], &["w #x=1"], &["r #x"]]), [(1, 2), (0, 2)]);
    assert_eq!(of(&[&["w #x=3"], &["w #x=1"], &["w #x=1"]]), [(0, 1), (0, 2)]);
}

#[test]
fn accesses_that_commute_are_no_conflict() {
    assert_eq!(of(&[&["add n"], &["add n"], &["r m"]]), []);
    assert_eq!(of(&[&["put s"], &["put s"]]), []);
    assert_eq!(of(&[&["init x=1"], &["init x=1", "r x"]]), []);
    assert_eq!(of(&[&["w x=1"], &["w x=2"]]), [], "nothing reads the variable");
    // What looks similar and is none of them.
    assert_eq!(of(&[&["add n"], &["add n", "r n"]]), [(0, 1)]);
    assert_eq!(of(&[&["put s"], &["r s"]]), [(0, 1)]);
    assert_eq!(of(&[&["init x=1"], &["init x=2"]]), [(0, 1)]);
    assert_eq!(of(&[&["init x=1"], &["r x", "init x=1"]]), [(0, 1)]);
    assert_eq!(of(&[&["w x=1"], &["w x=2"], &["r x"]]), [(0, 1), (1, 2)]);
}

#[test]
fn the_document_is_read_by_its_user() {
    assert_eq!(of(&[&["w #list=1"], &["w #list=2"]]), [(0, 1)], "old results would be shown");
}

#[test]
fn an_event_conflicts_with_the_one_that_cancels_it() {
    let click = Executed { disables: vec!["t".into()], ..event("click", &[]) };
    assert_eq!(conflicts(vec![event("t", &[]), click.clone()]), [(0, 1)]);
    assert_eq!(conflicts(vec![click.clone(), event("t", &[])]), [(0, 1)]);
    assert_eq!(conflicts(vec![click, event("u", &[])]), []);
}

#[test]
fn an_event_with_unknown_accesses_conflicts_with_every_event() {
    let opaque = Executed { opaque: Some("eval".into()), ..event("o", &[]) };
    assert_eq!(conflicts(vec![event("a", &[]), opaque, event("b", &[])]), [(0, 1), (1, 2)]);
}

#[test]
fn each_rule_says_its_reason() {
    let names: std::collections::BTreeSet<&str> = RULES.iter().map(|rule| rule.name()).collect();
    assert_eq!(names.len(), RULES.len());
    assert!(RULES.iter().all(|rule| !rule.reason().is_empty()));
}
