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
fn value_of_field(line: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
