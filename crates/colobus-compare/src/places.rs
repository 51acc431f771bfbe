//! [`DomPlace`]: an element in which two canonical DOMs differ, by a selector, and [`DifferingTexts`]: what stands there. Consumed by
//! the run loop, which asks whether clients differ in the same places, and in the same way, when users take turns.

use std::collections::BTreeSet;

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
    let (one, other) = Page::aligned(one, other);
    let ours = (0..one.lines.len()).filter(|line| one.differs(*line, &other)).map(|line| one.place(line, &other));
    let theirs = (0..other.lines.len()).filter(|line| other.partner[*line].is_none());
    ours.chain(theirs.map(|line| other.place(line, &one))).collect()
}

/// Two texts that stand in the same place of two pages; empty where one page has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferingTexts {
    /// As in [`DomPlace`].
    pub selector: Option<String>,
    pub one: String,
    pub other: String,
}

/// The texts in which two canonical DOMs differ.
pub fn differing_texts(one: &str, other: &str) -> Vec<DifferingTexts> {
    let (one, other) = Page::aligned(one, other);
    let mut found = Vec::new();
    for line in (0..one.lines.len()).filter(|line| one.is_text(*line) && one.differs(*line, &other)) {
        let theirs = one.partner[line].map(|line| other.lines[line].trim()).unwrap_or_default();
        let (selector, ours) = (one.place(line, &other).selector, one.lines[line].trim());
        found.push(DifferingTexts { selector, one: ours.to_string(), other: theirs.to_string() });
    }
    for line in (0..other.lines.len()).filter(|line| other.is_text(*line) && other.partner[*line].is_none()) {
        let (selector, theirs) = (other.place(line, &one).selector, other.lines[line].trim());
        found.push(DifferingTexts { selector, one: String::new(), other: theirs.to_string() });
    }
    found
}

struct Page<'a> {
    lines: Vec<&'a str>,
    /// For each line, the one that stands in its place in the other page.
    partner: Vec<Option<usize>>,
}

impl<'a> Page<'a> {
    /// Two pages, aligned by the elements that they are made of: what attributes and texts say may differ.
    fn aligned(one: &'a str, other: &'a str) -> (Page<'a>, Page<'a>) {
        let page = |dom: &'a str| {
            let lines: Vec<&str> = dom.lines().collect();
            Page { partner: vec![None; lines.len()], lines }
        };
        let (mut one, mut other) = (page(one), page(other));
        let elements = |page: &Page<'a>| page.lines.iter().map(|line| element(line)).collect::<Vec<_>>();
        for op in capture_diff_slices(Algorithm::Myers, &elements(&one), &elements(&other)) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                for at in 0..len {
                    one.partner[old_index + at] = Some(new_index + at);
                    other.partner[new_index + at] = Some(old_index + at);
                }
            }
        }
        (one, other)
    }

    fn differs(&self, line: usize, other: &Page<'_>) -> bool {
        self.partner[line].is_none_or(|partner| other.lines[partner] != self.lines[line])
    }

    fn is_text(&self, line: usize) -> bool {
        self.lines[line].trim().starts_with('"')
    }

    /// What the other page has in the place of a line.
    fn counterpart<'o>(&self, line: usize, other: &Page<'o>) -> Option<&'o str> {
        self.partner[line].map(|partner| other.lines[partner].trim())
    }

    /// Where a line is.
    fn place(&self, line: usize, other: &Page<'_>) -> DomPlace {
        let is_text = self.is_text(line);
        let values = (value_of_field(self.lines[line].trim()), self.counterpart(line, other).and_then(value_of_field));
        let element = if is_text { self.parent(line) } else { Some(line) };
        let around: Vec<usize> = std::iter::successors(element, |line| self.parent(*line)).collect();
        let is_editable = |line: &usize| {
            let line = self.lines[*line].trim();
            line.contains(" contenteditable=\"true\"") || value_of_field(line).is_some()
        };
        let named = around.iter().find_map(|at| selector(self.lines[*at].trim(), self.counterpart(*at, other)));
        DomPlace { selector: named, text: is_text || values.0 != values.1, editable: around.iter().any(is_editable) }
    }

    fn parent(&self, line: usize) -> Option<usize> {
        let depth = |line: usize| self.lines[line].len() - self.lines[line].trim_start().len();
        (0..line).rev().find(|before| depth(*before) < depth(line))
    }
}

/// What a line is, without what it says: how deep it stands, and its tag or that it is a text.
fn element(line: &str) -> (usize, &str) {
    let content = line.trim_start();
    let kind = if content.starts_with('"') { "\"" } else { content.split([' ', '>']).next().unwrap_or_default() };
    (line.len() - content.len(), kind)
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
        // Classes that change places do not move what stands below them.
        let chat = |first: [&str; 2], second: [&str; 2]| {
            let message = |[class, text]: [&str; 2]| format!("  <li class=\"{class}\">\n    \"{text}\"\n");
            format!("<ul id=\"messages\">\n{}{}", message(first), message(second))
        };
        let (one, other) = (chat(["m mine", "a"], ["m", "b"]), chat(["m", "a"], ["m mine", "b"]));
        assert_eq!(differing_texts(&one, &other), []);
        assert_eq!(places(&one, &other), [("li.m".into(), false, false)]);
        let (one, other) = (chat(["mine", "You: a"], ["theirs", "B: b"]), chat(["theirs", "A: a"], ["mine", "You: b"]));
        let beside: Vec<_> = differing_texts(&one, &other).into_iter().map(|texts| (texts.one, texts.other)).collect();
        assert_eq!(beside, [pair("\"You: a\"", "\"A: a\""), pair("\"B: b\"", "\"You: b\"")]);
        assert_eq!(places(&one, &other), [("#messages".into(), false, false), ("#messages".into(), true, false)]);
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
