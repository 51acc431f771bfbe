//! What kind of difference two canonical DOMs have. In a canonical DOM every node is a line, indented by its depth: an
//! element as its tag with sorted attributes, a text as a JSON string.

use colobus_model::DifferenceKind;

/// The outermost kind of difference, or `None` if the DOMs are equal.
pub fn difference_kind(one: &str, other: &str) -> Option<DifferenceKind> {
    if one == other {
        None
    } else if visible_text(one) != visible_text(other) {
        Some(DifferenceKind::Text)
    } else {
        Some(DifferenceKind::Markup)
    }
}

/// The texts of a canonical DOM and the values of its fields, joined: how they are cut into nodes does not matter.
pub fn visible_text(dom: &str) -> String {
    texts(dom).collect()
}

/// The same, each on a line of its own: for people.
pub fn text_lines(dom: &str) -> String {
    texts(dom).collect::<Vec<String>>().join("\n")
}

fn texts(dom: &str) -> impl Iterator<Item = String> {
    dom.lines()
        .map(str::trim)
        .filter_map(|line| if line.starts_with('"') { serde_json::from_str(line).ok() } else { value_of_field(line) })
}

/// What a user reads in a field: `<textarea id="note" value="milk">` says `milk`.
pub(crate) fn value_of_field(line: &str) -> Option<String> {
    let is_field = ["<input ", "<textarea ", "<select "].iter().any(|tag| line.starts_with(tag));
    let mut rest = line.split_once(' ').filter(|_| is_field)?.1;
    // An attribute may contain anything as a JSON string, also what looks like another attribute.
    loop {
        let (name, value) = rest.split_once('=')?;
        if !value.starts_with('"') {
            rest = value.split_once(' ')?.1;
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<String>();
        let text = values.next()?.ok()?;
        if name.trim() == "value" {
            return Some(text);
        }
        rest = &value[values.byte_offset()..];
    }
}

/// The part of a canonical DOM below the first element that a simple selector means: a tag, `#id`, `.class` and
/// `[attribute=value]` in any combination. `None` for other selectors, and if there is no such element.
pub fn part<'a>(dom: &'a str, selector: &str) -> Option<Vec<&'a str>> {
    let wanted = Simple::read(selector)?;
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut lines = dom.lines().skip_while(|line| !wanted.means(line.trim()));
    let first = lines.next()?;
    Some(std::iter::once(first).chain(lines.take_while(|line| depth(line) > depth(first))).collect())
}

/// The same of every element that the selector means.
pub fn parts<'a>(dom: &'a str, selector: &str) -> Vec<Vec<&'a str>> {
    let Some(wanted) = Simple::read(selector) else { return Vec::new() };
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = dom.lines().collect();
    let is_meant = |at: &usize| wanted.means(lines[*at].trim());
    let below = |at: usize| {
        let inner = lines[at + 1..].iter().take_while(|line| depth(line) > depth(lines[at]));
        std::iter::once(&lines[at]).chain(inner).copied().collect()
    };
    (0..lines.len()).filter(is_meant).map(below).collect()
}

/// A selector of one element by what stands in its line.
struct Simple {
    tag: Option<String>,
    attributes: Vec<(String, String)>,
}

impl Simple {
    fn read(selector: &str) -> Option<Simple> {
        let mut simple = Simple { tag: None, attributes: Vec::new() };
        let mut rest = selector.trim();
        let name_end = |text: &str| text.find(['#', '.', '[']).unwrap_or(text.len());
        if !rest.starts_with(['#', '.', '[']) {
            let (tag, after) = rest.split_at(name_end(rest));
            (simple.tag, rest) = (Some(tag.to_string()), after);
        }
        while let Some(mark) = rest.chars().next() {
            let after = &rest[1..];
            if mark == '[' {
                let (inside, following) = after.split_once(']')?;
                let (name, value) = inside.split_once('=')?;
                simple.attributes.push((name.to_string(), value.trim_matches(['"', '\'']).to_string()));
                rest = following;
            } else {
                let (name, following) = after.split_at(name_end(after));
                let attribute = if mark == '#' { "id" } else { "class" };
                simple.attributes.push((attribute.to_string(), name.to_string()));
                rest = following;
            }
        }
        let plain = |text: &String| !text.is_empty() && !text.contains([' ', '>', '+', '~', ':', ',', '*']);
        let names = simple.tag.iter().chain(simple.attributes.iter().map(|(_, value)| value));
        names.into_iter().all(plain).then_some(simple)
    }

    fn means(&self, line: &str) -> bool {
        let Some(inside) = line.strip_prefix('<') else { return false };
        let tag = inside.split([' ', '>']).next().unwrap_or_default();
        self.tag.as_ref().is_none_or(|wanted| wanted == tag)
            && self.attributes.iter().all(|(name, value)| {
                let Some((_, after)) = inside.split_once(&format!(" {name}=\"")) else { return false };
                let found = after.split('"').next().unwrap_or_default();
                if name == "class" { found.split(' ').any(|class| class == value) } else { found == value }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_page_is_found_by_a_simple_selector() {
        let dom = "<main>\n  <div class=\"big editor\" id=\"e\" role=\"textbox\">\n    <p>\n      \"a\"\n  <aside>\n    \"b\"";
        for selector in ["#e", ".editor", "div.big#e", "[role=textbox]", "div[role='textbox']"] {
            assert_eq!(part(dom, selector).map(|lines| lines.len()), Some(3), "{selector}");
        }
        for selector in ["#f", "main > div", "p.editor", "", ":focus"] {
            assert_eq!(part(dom, selector), None, "{selector}");
        }
    }

    #[test]
    fn the_value_of_a_field_is_text() {
        let form = |words: &str| format!("<form>\n  <textarea id=\"a value=\\\"x\" value=\"{words}\">\n  \"Save\"");
        assert_eq!(difference_kind(&form("milk"), &form("bread")), Some(DifferenceKind::Text));
        assert_eq!(text_lines(&form("milk")), "milk\nSave");
        let disabled = "<input checked=true value=\"on\">";
        assert_eq!(visible_text(disabled), "on");
        assert_eq!(visible_text("<input checked=true>\n<p value=\"no\">"), "", "only fields have values");
    }
}
