//! [`Pattern`]: what content of a document may be, in the simple form of the standard. Made by `read`, compared with
//! documents by `derive`, followed by `instance`.

use std::sync::Arc;

use super::datatype::Datatype;

pub(super) type Shared = Arc<Pattern>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Empty,
    NotAllowed,
    Text,
    Data(Datatype),
    /// This text; the datatype says whether white space counts.
    Value(Datatype, String),
    Attribute(Name, Shared),
    Element(Name, Shared),
    OneOrMore(Shared),
    Choice(Shared, Shared),
    Group(Shared, Shared),
    Ref(String),
    /// Only while a document is compared: the first inside the open element, the second behind its end.
    After(Shared, Shared),
}

/// A name with its namespace, which is empty if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) namespace: String,
    pub(super) local: String,
}

pub(super) fn empty() -> Shared {
    Arc::new(Pattern::Empty)
}

pub(super) fn not_allowed() -> Shared {
    Arc::new(Pattern::NotAllowed)
}

/// Either of two. An alternative that is there already is not added: derivatives would double with every child.
pub(super) fn choice(a: Shared, b: Shared) -> Shared {
    match (&*a, &*b) {
        (Pattern::NotAllowed, _) => b,
        (_, Pattern::NotAllowed) => a,
        (_, Pattern::Choice(first, second)) => choice(choice(a, first.clone()), second.clone()),
        _ if alternatives(&a).contains(&&*b) => a,
        _ => Arc::new(Pattern::Choice(a, b)),
    }
}

pub(super) fn group(a: Shared, b: Shared) -> Shared {
    match (&*a, &*b) {
        (Pattern::NotAllowed, _) | (_, Pattern::Empty) => a,
        (_, Pattern::NotAllowed) | (Pattern::Empty, _) => b,
        _ => Arc::new(Pattern::Group(a, b)),
    }
}

pub(super) fn after(a: Shared, b: Shared) -> Shared {
    match (&*a, &*b) {
        (Pattern::NotAllowed, _) => a,
        (_, Pattern::NotAllowed) => b,
        _ => Arc::new(Pattern::After(a, b)),
    }
}

pub(super) fn one_or_more(pattern: Shared) -> Shared {
    match &*pattern {
        Pattern::NotAllowed | Pattern::Empty | Pattern::OneOrMore(_) => pattern,
        _ => Arc::new(Pattern::OneOrMore(pattern)),
    }
}

/// All alternatives of choices inside each other; a pattern that is no choice is its only one.
pub(super) fn alternatives(pattern: &Pattern) -> Vec<&Pattern> {
    let (mut open, mut found) = (vec![pattern], Vec::new());
    while let Some(pattern) = open.pop() {
        match pattern {
            Pattern::Choice(a, b) => open.extend([&**b, &**a]),
            other => found.push(other),
        }
    }
    found
}
