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
