//! Documents compared with patterns by derivatives, as James Clark describes it ("An algorithm for RELAX NG validation"):
//! what may follow is computed anew for every tag, attribute and text, without going back.

use std::sync::Arc;

use roxmltree::{Attribute, Document, Node};

use super::datatype::is_space;
use super::pattern::{Pattern, Shared, after, choice, empty, group, not_allowed, one_or_more};
use super::{Grammar, Name};

/// Elements inside each other; deeper documents are rejected, because comparing them would use up the stack.
const DEEPEST: usize = 200;

pub(super) fn accepts(grammar: &Grammar, pattern: &Shared, text: &str) -> bool {
    let comparison = Comparison { grammar };
    if comparison.accepts_string(pattern, text) {
        return true;
    }
    // A document type is refused: entities in it can make a short text very long.
    let Ok(document) = Document::parse(text) else { return false };
    let left = comparison.element(pattern, document.root_element(), 0);
    comparison.is_nullable(&left)
}

struct Comparison<'g> {
    grammar: &'g Grammar,
}

impl Comparison<'_> {
    fn accepts_string(&self, pattern: &Pattern, text: &str) -> bool {
        let blank = text.chars().all(is_space);
        blank && self.is_nullable(pattern) || self.is_nullable(&self.text(pattern, text))
    }

    /// Whether nothing more has to come.
    fn is_nullable(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Empty | Pattern::Text => true,
            Pattern::Choice(a, b) => self.is_nullable(a) || self.is_nullable(b),
            Pattern::Group(a, b) => self.is_nullable(a) && self.is_nullable(b),
            Pattern::OneOrMore(inner) => self.is_nullable(inner),
            Pattern::Ref(name) => self.is_nullable(self.grammar.referred(name)),
            Pattern::NotAllowed
            | Pattern::Data(_)
            | Pattern::Value(..)
            | Pattern::Attribute(..)
            | Pattern::Element(..)
            | Pattern::After(..) => false,
        }
    }

    /// What may follow this text.
    fn text(&self, pattern: &Pattern, text: &str) -> Shared {
        match pattern {
            Pattern::Text => Arc::new(Pattern::Text),
            Pattern::Data(datatype) if datatype.accepts(text) => empty(),
            Pattern::Value(datatype, wanted) if datatype.equal(wanted, text) => empty(),
            Pattern::Choice(a, b) => choice(self.text(a, text), self.text(b, text)),
            Pattern::Group(a, b) => {
                let first = group(self.text(a, text), b.clone());
                if self.is_nullable(a) { choice(first, self.text(b, text)) } else { first }
            }
            Pattern::OneOrMore(inner) => group(self.text(inner, text), any_more(inner)),
            Pattern::After(a, b) => after(self.text(a, text), b.clone()),
            Pattern::Ref(name) => self.text(self.grammar.referred(name), text),
            _ => not_allowed(),
        }
    }

    /// What may follow this element.
    fn element(&self, pattern: &Pattern, node: Node<'_, '_>, depth: usize) -> Shared {
        if depth > DEEPEST {
            return not_allowed();
        }
        let mut left = self.open(pattern, node);
        for attribute in node.attributes() {
            left = self.attribute(&left, attribute);
        }
        left = self.without_attributes(&left);
        left = self.children(left, node, depth);
        self.close(&left)
    }

    /// What may follow the beginning of a tag: its attributes first.
    fn open(&self, pattern: &Pattern, node: Node<'_, '_>) -> Shared {
        match pattern {
            Pattern::Element(name, content) if is_named(name, node.tag_name().namespace(), node.tag_name().name()) => {
                after(content.clone(), empty())
            }
            Pattern::Choice(a, b) => choice(self.open(a, node), self.open(b, node)),
            Pattern::Group(a, b) => {
                let first = with_rest(&self.open(a, node), &|rest| group(rest, b.clone()));
                if self.is_nullable(a) { choice(first, self.open(b, node)) } else { first }
            }
            Pattern::OneOrMore(inner) => with_rest(&self.open(inner, node), &|rest| group(rest, any_more(inner))),
            Pattern::After(a, b) => with_rest(&self.open(a, node), &|rest| after(rest, b.clone())),
            Pattern::Ref(name) => self.open(self.grammar.referred(name), node),
            _ => not_allowed(),
        }
    }

    /// What may follow an attribute. Their order does not matter.
    fn attribute(&self, pattern: &Pattern, attribute: Attribute<'_, '_>) -> Shared {
        match pattern {
            Pattern::Attribute(name, value)
                if is_named(name, attribute.namespace(), attribute.name())
                    && self.accepts_string(value, attribute.value()) =>
            {
                empty()
            }
            Pattern::Choice(a, b) => choice(self.attribute(a, attribute), self.attribute(b, attribute)),
            Pattern::Group(a, b) => {
                choice(group(self.attribute(a, attribute), b.clone()), group(a.clone(), self.attribute(b, attribute)))
            }
            Pattern::OneOrMore(inner) => group(self.attribute(inner, attribute), any_more(inner)),
            Pattern::After(a, b) => after(self.attribute(a, attribute), b.clone()),
            Pattern::Ref(name) => self.attribute(self.grammar.referred(name), attribute),
            _ => not_allowed(),
        }
    }

    /// No more attributes come: those that are still demanded are missing.
    fn without_attributes(&self, pattern: &Pattern) -> Shared {
        match pattern {
            Pattern::Attribute(..) => not_allowed(),
            Pattern::Choice(a, b) => choice(self.without_attributes(a), self.without_attributes(b)),
            Pattern::Group(a, b) => group(self.without_attributes(a), self.without_attributes(b)),
            Pattern::OneOrMore(inner) => one_or_more(self.without_attributes(inner)),
            Pattern::After(a, b) => after(self.without_attributes(a), b.clone()),
            Pattern::Ref(name) => self.without_attributes(self.grammar.referred(name)),
            other => Arc::new(other.clone()),
        }
    }

    /// What may follow the content of an element. Comments do not count, nor does white space between elements.
    fn children(&self, pattern: Shared, node: Node<'_, '_>, depth: usize) -> Shared {
        let parts = parts(node);
        if let [] | [Part::Text(_)] = parts.as_slice() {
            let text = if let Some(Part::Text(text)) = parts.first() { text.as_str() } else { "" };
            let read = self.text(&pattern, text);
            return if text.chars().all(is_space) { choice(pattern, read) } else { read };
        }
        parts.iter().fold(pattern, |left, part| match part {
            Part::Text(text) if text.chars().all(is_space) => left,
            Part::Text(text) => self.text(&left, text),
            Part::Element(child) => self.element(&left, *child, depth + 1),
        })
    }

    /// What may follow the end of the open element.
    fn close(&self, pattern: &Pattern) -> Shared {
        match pattern {
            Pattern::Choice(a, b) => choice(self.close(a), self.close(b)),
            Pattern::After(a, b) if self.is_nullable(a) => b.clone(),
            _ => not_allowed(),
        }
    }
}

/// A child of an element. Texts that a comment or an instruction cuts are one text.
enum Part<'a, 'input> {
    Text(String),
    Element(Node<'a, 'input>),
}

fn parts<'a, 'input>(node: Node<'a, 'input>) -> Vec<Part<'a, 'input>> {
    let mut parts = Vec::new();
    for child in node.children() {
        match (child.is_element(), child.is_text(), parts.last_mut()) {
            (true, ..) => parts.push(Part::Element(child)),
            (_, true, Some(Part::Text(text))) => text.push_str(child.text().unwrap_or_default()),
            (_, true, _) => parts.push(Part::Text(child.text().unwrap_or_default().to_string())),
            _ => {}
        }
    }
    parts
}

fn is_named(name: &Name, namespace: Option<&str>, local: &str) -> bool {
    name.local == local && name.namespace == namespace.unwrap_or_default()
}

/// Any number of further ones.
fn any_more(inner: &Shared) -> Shared {
    choice(one_or_more(inner.clone()), empty())
}

/// Changes what comes behind the open element.
fn with_rest(pattern: &Pattern, change: &dyn Fn(Shared) -> Shared) -> Shared {
    match pattern {
        Pattern::After(a, b) => after(a.clone(), change(b.clone())),
        Pattern::Choice(a, b) => choice(with_rest(a, change), with_rest(b, change)),
        _ => not_allowed(),
    }
}
