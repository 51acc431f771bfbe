//! What kind of difference two canonical DOMs have. In a canonical DOM every node is a line, indented by its depth: an
//! element as its tag with sorted attributes, a text as a JSON string.

use colobus_trace::DifferenceKind;

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
    dom.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('"'))
        .filter_map(|line| serde_json::from_str::<String>(line.trim_end()).ok())
        .collect()
}
