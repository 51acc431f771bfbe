//! Differences of schemas, seen from the side that has to cope with them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::schema::Node;

/// Who writes the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Answers: a field that a client reads must stay, and stay of its type.
    Server,
    /// Bodies: a field that a client leaves out must not become required.
    Client,
}

const DEEPEST: usize = 24;

pub(super) fn compare(old: Node<'_>, new: Node<'_>, side: Side, place: &str, tell: &mut impl FnMut(String, bool)) {
    walk(old, new, side, place, 0, &mut BTreeSet::new(), &mut |text, breaking| tell(text, breaking));
}

fn walk(
    old: Node<'_>,
    new: Node<'_>,
    side: Side,
    place: &str,
    depth: usize,
    seen: &mut BTreeSet<(usize, usize)>,
    tell: &mut dyn FnMut(String, bool),
) {
    let (Some(old), Some(new)) = (old.resolve(), new.resolve()) else { return };
    // Recursive schemas meet themselves again.
    let here = (std::ptr::from_ref(old.schema) as usize, std::ptr::from_ref(new.schema) as usize);
    if depth > DEEPEST || !seen.insert(here) {
        return;
    }
    compare_types(&old.types(), &new.types(), side, place, tell);
    compare_fields(old, new, side, place, depth, seen, tell);
    for keyword in ["items", "additionalProperties"] {
        if let (Some(before), Some(after)) = (old.keyword(keyword), new.keyword(keyword)) {
            walk(old.at(before), new.at(after), side, &format!("{place}/*"), depth + 1, seen, tell);
        }
    }
}

fn compare_types(old: &[&str], new: &[&str], side: Side, place: &str, tell: &mut dyn FnMut(String, bool)) {
    let within = |inner: &[&str], outer: &[&str]| {
        outer.is_empty()
            || (!inner.is_empty()
                && inner.iter().all(|name| outer.contains(name) || (*name == "integer" && outer.contains(&"number"))))
    };
    if within(old, new) && within(new, old) {
        return;
    }
    let name = |types: &[&str]| if types.is_empty() { "anything".to_string() } else { types.join(" or ") };
    let fine = match side {
        Side::Server => within(new, old),
        Side::Client => within(old, new),
    };
    tell(format!("{place}: was {}, is {} now", name(old), name(new)), !fine);
}

fn compare_fields(
    old: Node<'_>,
    new: Node<'_>,
    side: Side,
    place: &str,
    depth: usize,
    seen: &mut BTreeSet<(usize, usize)>,
    tell: &mut dyn FnMut(String, bool),
) {
    let empty = Map::new();
    let fields = |node: Node<'_>| node.keyword("properties").and_then(Value::as_object).cloned();
    if fields(old).is_none() && fields(new).is_none() {
        return;
    }
    let before = old.keyword("properties").and_then(Value::as_object).unwrap_or(&empty);
    let after = new.keyword("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = |node: Node<'_>, name: &str| {
        node.keyword("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|found| found == name))
    };
    for (name, schema) in before {
        let below = format!("{place}/{name}");
        match after.get(name) {
            None => tell(format!("{below} is gone"), side == Side::Server && required(old, name)),
            Some(other) => {
                match (required(old, name), required(new, name)) {
                    (true, false) => tell(format!("{below} may be missing now"), side == Side::Server),
                    (false, true) => tell(format!("{below} is always there now"), side == Side::Client),
                    _ => {}
                }
                walk(old.at(schema), new.at(other), side, &below, depth + 1, seen, tell);
            }
        }
    }
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        let breaking = side == Side::Client && required(new, name);
        tell(format!("{place}/{name} is new{}", if breaking { " and required" } else { "" }), breaking);
    }
}
