//! Documents made up from a grammar. Each is compared with the grammar before it is handed out.

use std::fmt::Write;

use colobus_markup::push_escaped;
use colobus_random::Random;

use super::derive::accepts;
use super::extent::height;
use super::pattern::{Pattern, alternatives};
use super::{Grammar, Name};
use crate::schema::{Preference, boundary, word};

const ATTEMPTS: usize = 16;
/// From here on, and after this many elements, the smallest content is taken.
const DEEP: usize = 5;
const MANY: usize = 300;

pub(super) fn make_up(
    grammar: &Grammar,
    pattern: &super::Shared,
    random: &mut Random,
    preference: Preference,
    constants: &[String],
) -> Option<String> {
    let is_document = has_element(grammar, pattern);
    (0..ATTEMPTS).find_map(|_| {
        let mut maker = Maker { grammar, random, preference, constants, elements: 0 };
        let text = if is_document { maker.document(pattern) } else { maker.string(pattern) };
        accepts(grammar, pattern, &text).then_some(text)
    })
}

/// Whether documents, and not only strings, belong to the pattern.
fn has_element(grammar: &Grammar, pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Element(..) => true,
        Pattern::Choice(a, b) | Pattern::Group(a, b) | Pattern::After(a, b) => {
            has_element(grammar, a) || has_element(grammar, b)
        }
        Pattern::OneOrMore(inner) => has_element(grammar, inner),
        Pattern::Ref(name) => has_element(grammar, grammar.referred(name)),
        _ => false,
    }
}

/// The inside of an element that is being made up.
#[derive(Default)]
struct Content {
    /// The namespace of names without a prefix here.
    namespace: String,
    attributes: Vec<(Name, String)>,
    markup: String,
}

struct Maker<'g, 'r> {
    grammar: &'g Grammar,
    random: &'r mut Random,
    preference: Preference,
    constants: &'g [String],
    elements: usize,
}

impl Maker<'_, '_> {
    fn document(&mut self, pattern: &Pattern) -> String {
        let mut content = Content::default();
        self.fill(pattern, &mut content, 0);
        content.markup
    }

    fn fill(&mut self, pattern: &Pattern, content: &mut Content, depth: usize) {
        match pattern {
            Pattern::Empty | Pattern::NotAllowed => {}
            Pattern::Text | Pattern::Data(_) | Pattern::Value(..) => {
                let text = self.string(pattern);
                text.chars().for_each(|c| push_escaped(&mut content.markup, c));
            }
            Pattern::Attribute(name, value) => {
                let value = self.string(value);
                if !content.attributes.iter().any(|(known, _)| known == name) {
                    content.attributes.push((name.clone(), value));
                }
            }
            Pattern::Element(name, inner) => {
                self.elements += 1;
                let mut inside = Content { namespace: name.namespace.clone(), ..Content::default() };
                self.fill(inner, &mut inside, depth + 1);
                write_element(content, name, &inside);
            }
            Pattern::Group(a, b) | Pattern::After(a, b) => {
                self.fill(a, content, depth);
                self.fill(b, content, depth);
            }
            Pattern::OneOrMore(inner) => {
                let count = if self.is_enough(depth) { 1 } else { 1 + self.random.below(3) };
                (0..count).for_each(|_| self.fill(inner, content, depth));
            }
            Pattern::Choice(..) => {
                let chosen = self.choose(pattern, depth);
                self.fill(chosen, content, depth);
            }
            Pattern::Ref(name) => {
                let grammar = self.grammar;
                self.fill(grammar.referred(name), content, depth);
            }
        }
    }

    fn is_enough(&self, depth: usize) -> bool {
        depth > DEEP || self.elements > MANY
    }

    /// An alternative that has an instance. What may be left out is: seldom as a rule, often at boundaries, always deep inside.
    fn choose<'p>(&mut self, pattern: &'p Pattern, depth: usize) -> &'p Pattern {
        let grammar = self.grammar;
        let of = |name: &str| grammar.definition(Some(name)).and_then(|found| found.height);
        let mut possible: Vec<(usize, &'p Pattern)> =
            alternatives(pattern).into_iter().filter_map(|one| Some((height(one, &of)?, one))).collect();
        possible.sort_by_key(|(height, one)| (*one != &Pattern::Empty, *height));
        let leaves_out = possible.first().is_some_and(|(_, one)| *one == &Pattern::Empty);
        let share = if self.preference == Preference::Boundary { 60 } else { 25 };
        let smallest = possible.iter().min_by_key(|(height, _)| *height).map(|(_, one)| *one);
        let chosen = match () {
            () if self.is_enough(depth) => smallest,
            () if leaves_out && possible.len() > 1 => {
                let empty = self.random.percent(share);
                if empty { smallest } else { self.random.pick(&possible[1..]).map(|(_, one)| *one) }
            }
            () => self.random.pick(&possible).map(|(_, one)| *one),
        };
        chosen.unwrap_or(&Pattern::NotAllowed)
    }

    /// A string of a pattern without elements.
    fn string(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Text => self.text(),
            Pattern::Data(datatype) => {
                let text = self.text();
                datatype.make_up(self.random, |_| text)
            }
            Pattern::Value(_, text) => text.clone(),
            Pattern::Choice(..) => {
                let chosen = self.choose(pattern, 0);
                self.string(chosen)
            }
            Pattern::Group(a, b) => self.string(a) + &self.string(b),
            Pattern::OneOrMore(inner) => self.string(inner),
            Pattern::Ref(name) => {
                let grammar = self.grammar;
                self.string(grammar.referred(name))
            }
            _ => String::new(),
        }
    }

    /// Any text, of characters that XML can hold.
    fn text(&mut self) -> String {
        let (compared, at_boundary) = match self.preference {
            Preference::Seen | Preference::Marked => (0, 0),
            Preference::Random => (35, 0),
            Preference::Mixed => (35, 12),
            Preference::Boundary => (35, 60),
        };
        let text = match () {
            () if !self.constants.is_empty() && self.random.percent(compared) => {
                self.random.pick(self.constants).cloned()
            }
            () if self.random.percent(at_boundary) => self.random.pick(&boundary::texts()).cloned(),
            () => Some(word(self.random)),
        };
        text.unwrap_or_default().chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect()
    }
}

fn write_element(content: &mut Content, name: &Name, inside: &Content) {
    let Content { markup, namespace, .. } = content;
    let local = &name.local;
    let _ = write!(markup, "<{local}");
    if name.namespace != *namespace {
        write_attribute(markup, "xmlns", &name.namespace);
    }
    for (number, (attribute, value)) in inside.attributes.iter().enumerate() {
        let prefix = match attribute.namespace.as_str() {
            "" => String::new(),
            roxmltree::NS_XML_URI => "xml:".to_string(),
            other => {
                write_attribute(markup, &format!("xmlns:n{number}"), other);
                format!("n{number}:")
            }
        };
        write_attribute(markup, &format!("{prefix}{}", attribute.local), value);
    }
    let _ =
        if inside.markup.is_empty() { write!(markup, "/>") } else { write!(markup, ">{}</{local}>", inside.markup) };
}

fn write_attribute(markup: &mut String, name: &str, value: &str) {
    let _ = write!(markup, " {name}=\"");
    for c in value.chars() {
        match c {
            // White space in attributes would be read as blanks.
            '\n' | '\t' => {
                let _ = write!(markup, "&#{};", u32::from(c));
            }
            other => push_escaped(markup, other),
        }
    }
    markup.push('"');
}
