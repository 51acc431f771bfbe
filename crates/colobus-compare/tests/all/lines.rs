//! Changed lines, and what they say of a DOM.

use colobus_compare::dom::{difference_kind, visible_text};
use colobus_compare::lines::{changed_lines, document_lines};
use colobus_model::DifferenceKind;
use serde_json::json;

#[test]
fn a_replaced_line_is_touched_and_its_neighbours_are_not() {
    assert_eq!(changed_lines("a\nb\nc", "a\nB\nc").ranges(), [(1, 2)]);
}

#[test]
fn an_insertion_touches_both_of_its_neighbours() {
    assert_eq!(changed_lines("a\nb\nc", "a\nx\nb\nc").ranges(), [(0, 2)]);
    assert_eq!(changed_lines("", "x").ranges(), [(0, 1)], "an empty text has a place as well");
}

#[test]
fn two_insertions_at_one_place_overlap_and_far_ones_do_not() {
    let text = "a\nb\nc\nd\ne";
    let (near, same, far) = (
        changed_lines(text, "a\nx\nb\nc\nd\ne"),
        changed_lines(text, "a\ny\nb\nc\nd\ne"),
        changed_lines(text, "a\nb\nc\nd\ne\nz"),
    );
    assert!(near.overlaps(&same));
    assert!(!near.overlaps(&far));
}

#[test]
fn the_order_of_keys_carries_no_meaning() {
    let (one, other) = (json!({"b": [1, {"d": 1, "c": 2}], "a": 0}), json!({"a": 0, "b": [1, {"c": 2, "d": 1}]}));
    assert_eq!(document_lines(&one), document_lines(&other));
    assert_ne!(document_lines(&json!([1, 2])), document_lines(&json!([2, 1])));
}

#[test]
fn kinds_of_difference_come_from_the_outside_in() {
    let plain = "<p>\n  \"hello\"";
    let bold = "<p>\n  <b>\n    \"hel\"\n  \"lo\"";
    assert_eq!(difference_kind(plain, plain), None);
    assert_eq!(difference_kind(plain, bold), Some(DifferenceKind::Markup));
    assert_eq!(difference_kind(plain, "<p>\n  \"hell\""), Some(DifferenceKind::Text));
    assert_eq!(visible_text(bold), "hello");
}
