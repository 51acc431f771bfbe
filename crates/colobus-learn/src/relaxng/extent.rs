//! What has to hold for derivatives and made-up instances to end: no definition leads to itself without an element between, and
//! each knows how deep its smallest instance is.

use std::collections::{BTreeMap, BTreeSet};

use super::pattern::{Pattern, alternatives};
use super::{Definition, GrammarError};

/// The depths of smallest instances.
pub(super) type Heights = BTreeMap<String, usize>;

/// A definition that leads to itself without an element between.
pub(super) fn endless(definitions: &BTreeMap<String, Definition>) -> Option<GrammarError> {
    // Definitions of which it is known that they do not.
    let mut ending: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = ending.len();
        for (name, definition) in definitions {
            let mut next = Vec::new();
            referred(&definition.pattern, &mut next);
            if next.into_iter().all(|name| ending.contains(name)) {
                ending.insert(name);
            }
        }
        if ending.len() == before {
            break;
        }
    }
    let (name, definition) = definitions.iter().find(|(name, _)| !ending.contains(name.as_str()))?;
    let message = format!("`{name}` leads to itself without an element between");
    Some(GrammarError { line: definition.line, column: definition.column, message })
}

/// Names that a pattern refers to outside of its elements.
fn referred<'a>(pattern: &'a Pattern, found: &mut Vec<&'a str>) {
    match pattern {
        Pattern::Ref(name) => found.push(name),
        Pattern::Attribute(_, inner) | Pattern::OneOrMore(inner) => referred(inner, found),
        Pattern::Choice(a, b) | Pattern::Group(a, b) | Pattern::After(a, b) => {
            referred(a, found);
            referred(b, found);
        }
        _ => {}
    }
}

/// The heights of all definitions that have an instance.
pub(super) fn heights(definitions: &BTreeMap<String, Definition>) -> Heights {
    let mut heights = Heights::new();
    // Each round is right for instances of one more element inside another.
    loop {
        let mut changed = false;
        for (name, definition) in definitions {
            if let Some(found) = height(&definition.pattern, &|name| heights.get(name).copied())
                && heights.get(name).is_none_or(|known| found < *known)
            {
                heights.insert(name.clone(), found);
                changed = true;
            }
        }
        if !changed {
            return heights;
        }
    }
}

/// The height of a pattern whose references have these; `None` if it has no instance.
pub(super) fn height(pattern: &Pattern, of: &dyn Fn(&str) -> Option<usize>) -> Option<usize> {
    match pattern {
        Pattern::Empty | Pattern::Text | Pattern::Data(_) | Pattern::Value(..) => Some(0),
        Pattern::NotAllowed => None,
        Pattern::Attribute(_, inner) | Pattern::OneOrMore(inner) => height(inner, of),
        Pattern::Element(_, inner) => Some(1 + height(inner, of)?),
        Pattern::Choice(..) => alternatives(pattern).into_iter().filter_map(|one| height(one, of)).min(),
        Pattern::Group(a, b) | Pattern::After(a, b) => Some(height(a, of)?.max(height(b, of)?)),
        Pattern::Ref(name) => of(name),
    }
}
