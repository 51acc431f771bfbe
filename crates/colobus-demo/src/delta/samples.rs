//! Documents and changes for property tests.

use super::{Attributes, Component, Delta, Key, Value};
use proptest::prelude::*;

/// A part of a change, to be laid over the next characters of a document.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Keep(usize),
    Format(usize, Attributes),
    Insert(String, Attributes),
    Delete(usize),
}

fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![Just('a'), Just('b'), Just('x'), Just('\n'), Just('é'), Just('🐒')];
    proptest::collection::vec(character, 1..4).prop_map(|characters| characters.into_iter().collect())
}

fn attributes(value: impl Strategy<Value = Option<Value>> + Clone) -> impl Strategy<Value = Attributes> {
    let key = prop_oneof![Just(Key::Bold), Just(Key::Italic), Just(Key::Indent)];
    proptest::collection::btree_map(key, value, 0..3)
}

fn set() -> impl Strategy<Value = Option<Value>> + Clone {
    prop_oneof![Just(Some(Value::Flag(true))), Just(Some(Value::Level(2)))]
}

fn set_or_unset() -> impl Strategy<Value = Option<Value>> + Clone {
    prop_oneof![set(), Just(None)]
}

pub(crate) fn document() -> impl Strategy<Value = Delta> {
    proptest::collection::vec((text(), attributes(set())), 0..6).prop_map(|pieces| {
        let mut document = Delta::default();
        for (text, attributes) in pieces {
            document.insert(&text, attributes);
        }
        document.insert("\n", Attributes::new());
        document
    })
}

pub(crate) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (1..4_usize).prop_map(Step::Keep),
        (1..4_usize, attributes(set_or_unset())).prop_map(|(count, attributes)| Step::Format(count, attributes)),
        (text(), attributes(set())).prop_map(|(text, attributes)| Step::Insert(text, attributes)),
        (1..4_usize).prop_map(Step::Delete),
    ];
    proptest::collection::vec(step, 0..6)
}

/// The change that the steps make in a document: whole characters, and never the last newline.
pub(crate) fn change(document: &Delta, steps: &[Step]) -> Delta {
    let text: String = document
        .components()
        .iter()
        .filter_map(|component| match component {
            Component::Insert { insert, .. } => Some(insert.as_str()),
            _ => None,
        })
        .collect();
    let mut widths = text.chars().map(char::len_utf16).collect::<Vec<_>>().into_iter();
    widths.next_back();
    let mut units = |count: usize| widths.by_ref().take(count).sum::<usize>();
    let mut change = Delta::default();
    for step in steps {
        match step {
            Step::Keep(count) => change.retain(units(*count), Attributes::new()),
            Step::Format(count, attributes) => change.retain(units(*count), attributes.clone()),
            Step::Insert(text, attributes) => change.insert(text, attributes.clone()),
            Step::Delete(count) => change.push(Component::Delete { delete: units(*count) }),
        }
    }
    change.normalised()
}
