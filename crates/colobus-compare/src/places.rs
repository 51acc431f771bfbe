//! [`DomPlace`]: an element in which two canonical DOMs differ, by a selector, and [`DifferingTexts`]: what stands there. Consumed by
//! the run loop, which asks whether clients differ in the same places, and in the same way, when users take turns.

use std::collections::BTreeSet;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::dom::value_of_field;

/// An element that is not the same in two pages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DomPlace {
    /// By id or classes: the nearest element that has some; `None` if only the whole page could be named.
    pub selector: Option<String>,
    /// Whether a text or the value of a field differs, not only markup.
    pub text: bool,
    /// Whether it is a field, or inside of what users can edit.
    pub editable: bool,
}

/// The elements in which two canonical DOMs differ, each once.
pub fn differing_places(one: &str, other: &str) -> BTreeSet<DomPlace> {
    let (one, other) = (Page::read(one), Page::read(other));
    let mut places = BTreeSet::new();
    for op in capture_diff_slices(Algorithm::Myers, &one.lines, &other.lines) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { old_index, old_len, .. } => {
                places.extend((old_index..old_index + old_len).map(|line| one.place(line, None)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                places.extend((new_index..new_index + new_len).map(|line| other.place(line, None)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let shared = old_len.min(new_len);
                let pairs = (0..shared).map(|at| one.place(old_index + at, Some(other.lines[new_index + at])));
                places.extend(pairs);
                places.extend((shared..old_len).map(|at| one.place(old_index + at, None)));
                places.extend((shared..new_len).map(|at| other.place(new_index + at, None)));
            }
        }
    }
    places
}

/// Two texts that stand in the same place of two pages; empty where one page has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferingTexts {
    /// As in [`DomPlace`].
    pub selector: Option<String>,
    pub one: String,
    pub other: String,
}

/// The texts in which two canonical DOMs differ: of each stretch that is not the same, the first of one page beside the first of the
/// other, and so on.
pub fn differing_texts(one: &str, other: &str) -> Vec<DifferingTexts> {
    let (one, other) = (Page::read(one), Page::read(other));
    let mut found = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &one.lines, &other.lines) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (ours, theirs) = (one.texts(op.old_range()), other.texts(op.new_range()));
        for at in 0..ours.len().max(theirs.len()) {
            let (ours, theirs) = (ours.get(at), theirs.get(at));
            let place = ours.map(|line| one.place(*line, None)).or(theirs.map(|line| other.place(*line, None)));
            let text =
                |page: &Page<'_>, line: Option<&usize>| line.map_or("", |line| page.lines[*line].trim()).to_string();
            found.push(DifferingTexts {
                selector: place.and_then(|place| place.selector),
                one: text(&one, ours),
                other: text(&other, theirs),
            });
        }
    }
    found
}

struct Page<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Page<'a> {
    fn read(dom: &'a str) -> Page<'a> {
        Page { lines: dom.lines().collect() }
    }

    /// Which of these lines are texts.
    fn texts(&self, lines: Range<usize>) -> Vec<usize> {
        lines.filter(|line| self.lines[*line].trim().starts_with('"')).collect()
    }

    /// Where a line is; `counterpart` is what the other page has in its place.
    fn place(&self, line: usize, counterpart: Option<&str>) -> DomPlace {
        let text = self.lines[line].trim();
        let is_text = text.starts_with('"');
        let values = (value_of_field(text), counterpart.map(str::trim).and_then(value_of_field));
        let element = if is_text { self.parent(line) } else { Some(line) };
        let around: Vec<usize> = std::iter::successors(element, |line| self.parent(*line)).collect();
        let is_editable = |line: &usize| {
            let line = self.lines[*line].trim();
            line.contains(" contenteditable=\"true\"") || value_of_field(line).is_some()
        };
        let named = around.iter().find_map(|at| {
            let other = if *at == line { counterpart.map(str::trim) } else { None };
            selector(self.lines[*at].trim(), other)
        });
        DomPlace { selector: named, text: is_text || values.0 != values.1, editable: around.iter().any(is_editable) }
    }

    fn parent(&self, line: usize) -> Option<usize> {
        let depth = |line: usize| self.lines[line].len() - self.lines[line].trim_start().len();
        (0..line).rev().find(|before| depth(*before) < depth(line))
    }
}

/// By its id, or by its tag and those of its classes that its counterpart has as well.
fn selector(line: &str, counterpart: Option<&str>) -> Option<String> {
    let tag = |line: &str| line.strip_prefix('<').and_then(|line| line.split([' ', '>']).next()).map(str::to_string);
    let name = tag(line).filter(|name| !matches!(name.as_str(), "html" | "body"))?;
    let other = counterpart.filter(|other| tag(other).as_ref() == Some(&name));
    let id = attribute(line, "id").filter(|id| other.is_none_or(|other| attribute(other, "id") == Some(id)));
    if let Some(id) = id.filter(|id| is_name(id)) {
        return Some(format!("#{id}"));
    }
    let classes = |line| attribute(line, "class").unwrap_or_default().split(' ').filter(|class| is_name(class));
    let shared: Vec<&str> = match other {
        Some(other) => classes(line).filter(|class| classes(other).any(|theirs| theirs == *class)).collect(),
        None => classes(line).collect(),
    };
    (!shared.is_empty()).then(|| format!("{name}.{}", shared.join(".")))
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// What a selector can say without escapes.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(one: &str, other: &str) -> Vec<(String, bool, bool)> {
        let place = |place: DomPlace| (place.selector.unwrap_or_default(), place.text, place.editable);
        differing_places(one, other).into_iter().map(place).collect()
    }

    #[test]
    fn a_place_is_the_nearest_element_with_a_name() {
        let page = |you: &str, class: &str| {
            format!("<main>\n  <p id=\"you\">\n    <b>\n      \"{you}\"\n  <li class=\"{class}\">\n    \"hello\"")
        };
        assert_eq!(
            places(&page("Ada", "message mine"), &page("Ben", "message")),
            [("#you".into(), true, false), ("li.message".into(), false, false)]
        );
        assert_eq!(places(&page("Ada", "m"), &page("Ada", "m")), []);
        assert_eq!(places("\"a\"", "\"b\""), [(String::new(), true, false)]);
        let whole = |class: &str| format!("<body class=\"{class}\" id=\"page\">\n  <p>");
        assert_eq!(places(&whole("night"), &whole("day")), [(String::new(), false, false)], "the page has no name");
        let more = format!("{}\n  <div class=\"caret\">", page("Ada", "m"));
        assert_eq!(places(&page("Ada", "m"), &more), [("div.caret".into(), false, false)]);
    }

    #[test]
    fn texts_stand_beside_each_other() {
        let page =
            |texts: &[&str]| texts.iter().map(|text| format!("<li class=\"m\">\n  \"{text}\"\n")).collect::<String>();
        let pairs = |one: &[&str], other: &[&str]| -> Vec<(String, String)> {
            differing_texts(&page(one), &page(other)).into_iter().map(|texts| (texts.one, texts.other)).collect()
        };
        let pair = |one: &str, other: &str| (one.to_string(), other.to_string());
        assert_eq!(
            pairs(&["You: a", "hello", "B: b"], &["A: a", "hello", "You: b"]),
            [pair("\"You: a\"", "\"A: a\""), pair("\"B: b\"", "\"You: b\"")]
        );
        assert_eq!(pairs(&["a"], &["a", "b"]), [pair("", "\"b\"")]);
        assert_eq!(differing_texts(&page(&["a"]), &page(&["b"]))[0].selector.as_deref(), Some("li.m"));
        assert_eq!(pairs(&["a"], &["a"]), []);
    }

    #[test]
    fn what_users_edit_is_told_apart() {
        let field = |value: &str| format!("<textarea class=\"note\" value=\"{value}\">");
        assert_eq!(places(&field("a"), &field("b")), [("textarea.note".into(), true, true)]);
        let editor =
            |line: &str| format!("<div contenteditable=\"true\" id=\"e\">\n  <p class=\"line{line}\">\n    \"a\"");
        assert_eq!(places(&editor(" active"), &editor("")), [("p.line".into(), false, true)]);
    }
}
