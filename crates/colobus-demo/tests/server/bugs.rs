//! The seeded bugs that live in the server, each beside the right behaviour.

use crate::user::{User, document, server_with};
use colobus_demo::Bug;
use serde_json::{Value, json};
use std::time::Duration;

const SLOW: Duration = Duration::from_millis(200);

/// Two edits that are on their way at once, and the document that is left.
fn together(bugs: &[Bug]) -> Value {
    let server = server_with(bugs, SLOW);
    let (mut ada, mut ben) = (User::join(&server, "together"), User::join(&server, "together"));
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ben.edit(1, 0, json!([{ "insert": "b" }]));
    ada.until_pong();
    ben.until_pong();
    let length = |user: &Value| user.as_array().map_or(0, |parts| parts[0]["insert"].as_str().map_or(0, str::len));
    json!(length(&document(&server, "together")))
}

#[test]
fn lost_update_overwrites_one_of_two_edits_that_arrive_together() {
    assert_eq!(together(&[Bug::LostUpdate]), 2, "one letter and the newline");
    assert_eq!(together(&[]), 3, "both letters and the newline");
}

#[test]
fn lost_update_spares_edits_that_arrive_apart() {
    let server = server_with(&[Bug::LostUpdate], Duration::from_millis(5));
    let (mut ada, mut ben) = (User::join(&server, "apart"), User::join(&server, "apart"));
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ben.next_of("edit");
    ben.edit(1, 1, json!([{ "retain": 1 }, { "insert": "b" }]));
    ben.next_of("edit");
    assert_eq!(document(&server, "apart"), json!([{ "insert": "ab\n" }]));
}

/// What the text "this" looks like when it was typed behind bold text that is deleted first.
fn typed_into_a_deleted_line(bugs: &[Bug]) -> Value {
    let server = server_with(bugs, Duration::ZERO);
    let (mut ada, mut ben) = (User::join(&server, "line"), User::join(&server, "line"));
    ada.edit(1, 0, json!([{ "insert": "testing", "attributes": { "bold": true } }]));
    ben.next_of("edit");
    ben.edit(1, 1, json!([{ "delete": 7 }]));
    ben.next_of("edit");
    ada.edit(2, 1, json!([{ "retain": 7 }, { "insert": "this", "attributes": { "bold": true } }]));
    ben.next_of("edit")["op"].clone()
}

#[test]
fn lost_formatting_makes_text_in_a_deleted_line_plain() {
    assert_eq!(typed_into_a_deleted_line(&[Bug::LostFormatting]), json!([{ "insert": "this" }]));
    let right = json!([{ "insert": "this", "attributes": { "bold": true } }]);
    assert_eq!(typed_into_a_deleted_line(&[]), right);
}

/// The document after an edit was sent again because its acknowledgement was lost.
fn after_a_lost_acknowledgement(bugs: &[Bug]) -> Value {
    let server = server_with(bugs, Duration::ZERO);
    let (mut ada, mut ben) = (User::join(&server, "again"), User::join(&server, "again"));
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ben.next_of("edit");
    ada.cut();
    let mut ada = User::come_back(&server, "again", 1, 0);
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ada.until_pong();
    document(&server, "again")
}

#[test]
fn reconnect_duplicate_takes_an_edit_twice() {
    assert_eq!(after_a_lost_acknowledgement(&[Bug::ReconnectDuplicate]), json!([{ "insert": "aa\n" }]));
    assert_eq!(after_a_lost_acknowledgement(&[]), json!([{ "insert": "a\n" }]));
}

#[test]
fn tp2_peer_passes_edits_on_as_they_are() {
    let op_of_the_second = |bugs: &[Bug]| {
        let server = server_with(bugs, Duration::ZERO);
        let (mut ada, mut ben) = (User::join(&server, "peer"), User::join(&server, "peer"));
        ada.edit(1, 0, json!([{ "insert": "a" }]));
        ada.next_of("edit");
        ben.send(&json!({ "type": "edit", "seq": 1, "revision": 0, "op": [{ "insert": "b" }], "clock": { "2": 0 } }));
        let edit = ada.next_of("edit");
        (edit["op"].clone(), edit["clock"].clone())
    };
    assert_eq!(op_of_the_second(&[Bug::Tp2Peer]), (json!([{ "insert": "b" }]), json!({ "2": 0 })));
    assert_eq!(op_of_the_second(&[]).0, json!([{ "retain": 1 }, { "insert": "b" }]));
}

/// The document after these two edits of two users reached the server, at once or one after the other.
fn after_both(bugs: &[Bug], latency: Duration, edits: [Value; 2], at_once: bool) -> Value {
    let server = server_with(bugs, latency);
    let (mut ada, mut ben) = (User::join(&server, "both"), User::join(&server, "both"));
    let [first, second] = edits;
    ada.edit(1, 0, first);
    if !at_once {
        ada.until_pong();
    }
    ben.edit(1, 0, second);
    ada.until_pong();
    ben.until_pong();
    document(&server, "both")
}

#[test]
fn format_overwritten_loses_one_of_two_formats_that_arrive_together_and_no_text() {
    let format = |key: &str| json!([{ "retain": 1, "attributes": { key: true } }]);
    let both = [format("list"), format("heading")];
    let right = json!([{ "insert": "\n", "attributes": { "heading": true, "list": true } }]);
    let bugs = &[Bug::FormatOverwritten];
    assert_ne!(after_both(bugs, SLOW, both.clone(), true), right);
    assert_eq!(after_both(bugs, Duration::ZERO, both.clone(), false), right, "they arrive apart");
    assert_eq!(after_both(&[], SLOW, both, true), right);
    let text = json!([{ "insert": "\n" }]);
    let split = after_both(bugs, SLOW, [format("list"), text], true);
    let lines: usize =
        split.as_array().unwrap().iter().map(|part| part["insert"].as_str().unwrap().matches('\n').count()).sum();
    assert_eq!(lines, 2, "text is not overwritten");
}

#[test]
fn paste_in_list_removes_what_is_pasted_into_a_line_that_becomes_an_item() {
    let (paste, list) = (json!([{ "insert": "abc" }]), json!([{ "retain": 1, "attributes": { "list": true } }]));
    let item = json!({ "insert": "\n", "attributes": { "list": true } });
    let bugs = &[Bug::PasteInList];
    for edits in [[paste.clone(), list.clone()], [list.clone(), paste.clone()]] {
        assert_eq!(after_both(bugs, Duration::ZERO, edits.clone(), false), json!([item]));
        assert_eq!(after_both(&[], Duration::ZERO, edits, false), json!([{ "insert": "abc" }, item]));
    }
    let typed = json!([{ "insert": "a" }]);
    assert_eq!(after_both(bugs, Duration::ZERO, [typed, list], false), json!([{ "insert": "a" }, item]));
}
