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

/// The texts of a canonical DOM, joined: how they are cut into nodes does not matter.
pub fn visible_text(dom: &str) -> String {
    texts(dom).collect()
}

/// The texts of a canonical DOM, each on a line of its own: for people.
pub fn text_lines(dom: &str) -> String {
    texts(dom).collect::<Vec<String>>().join("\n")
}

fn texts(dom: &str) -> impl Iterator<Item = String> {
    let quoted = dom.lines().map(str::trim).filter(|line| line.starts_with('"'));
    quoted.filter_map(|line| serde_json::from_str(line).ok())
}
