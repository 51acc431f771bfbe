//! The server over real sockets: the order of messages, reconnecting, the seeded bugs of the server, bad input.

mod bad_input;
mod bugs;
mod page;
mod user;

use serde_json::json;
use std::time::Duration;
use user::{User, document, server, server_with};

#[test]
fn an_edit_reaches_everyone_in_one_order() {
    let server = server();
    let (mut ada, mut ben) = (User::join(&server, "order"), User::join(&server, "order"));
    assert_eq!((ada.id(), ben.id()), (1, 2));
    assert_eq!(ada.next(), json!({ "type": "users", "users": [1, 2] }));

    ada.edit(1, 0, json!([{ "insert": "a" }]));
    let first = json!({ "type": "edit", "revision": 1, "client": 1, "seq": 1, "op": [{ "insert": "a" }] });
    assert_eq!((ada.next(), ben.next()), (first.clone(), first));

    // Made at the same time as the first one: it is rebased onto it.
    ben.edit(1, 0, json!([{ "insert": "b", "attributes": { "bold": true } }]));
    let second = json!({ "type": "edit", "revision": 2, "client": 2, "seq": 1,
        "op": [{ "retain": 1 }, { "insert": "b", "attributes": { "bold": true } }] });
    assert_eq!((ada.next(), ben.next()), (second.clone(), second));
    let expected = json!([{ "insert": "a" }, { "insert": "b", "attributes": { "bold": true } }, { "insert": "\n" }]);
    assert_eq!(document(&server, "order"), expected);
}

#[test]
fn an_emptied_document_begins_again_for_everyone() {
    let server = server();
    let (mut ada, mut ben) = (User::join(&server, "emptied"), User::join(&server, "emptied"));
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ben.next_of("edit");
    ben.send(&json!({ "type": "empty" }));
    assert_eq!(
        (ada.next_of("emptied"), ben.next_of("emptied")),
        (json!({ "type": "emptied" }), json!({ "type": "emptied" }))
    );
    assert_eq!(document(&server, "emptied"), json!([{ "insert": "\n" }]));

    ada.edit(2, 0, json!([{ "insert": "b" }]));
    assert_eq!(ben.next_of("edit")["revision"], 1, "revisions count from the start");
    let cleo = User::join(&server, "emptied");
    assert_eq!(cleo.welcome["document"], json!([{ "insert": "b\n" }]));
}

#[test]
fn documents_are_apart() {
    let server = server();
    let mut ada = User::join(&server, "one");
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ada.next_of("edit");
    assert_eq!(document(&server, "other"), json!([{ "insert": "\n" }]));
}

#[test]
fn a_pong_comes_behind_all_that_earlier_messages_caused() {
    let server = server_with(&[], Duration::from_millis(5));
    let (mut ada, mut ben) = (User::join(&server, "pong"), User::join(&server, "pong"));
    for seq in 1..=5 {
        ada.edit(seq, seq - 1, json!([{ "insert": "a" }]));
    }
    let seen_by_author = ada.until_pong().into_iter().filter(|message| message["type"] == "edit").count();
    assert_eq!(seen_by_author, 5);
    assert_eq!(ben.until_pong().len(), 5, "what the others must hear was on its way before the author's pong");
}

#[test]
fn a_selection_is_passed_on_in_the_current_document() {
    let server = server();
    let (mut ada, mut ben) = (User::join(&server, "selection"), User::join(&server, "selection"));
    ada.edit(1, 0, json!([{ "insert": "abc" }]));
    ben.next_of("edit");
    ben.edit(1, 1, json!([{ "insert": "xy" }]));
    ben.next_of("edit");
    // Made before Ben's edit was seen.
    ada.send(&json!({ "type": "presence", "revision": 1, "range": { "anchor": 3, "head": 0 } }));
    let shown = json!({ "type": "presence", "client": 1, "revision": 2, "range": { "anchor": 5, "head": 2 } });
    assert_eq!(ben.next_of("presence"), shown);
    let late = User::join(&server, "selection");
    assert_eq!(late.welcome["presence"], json!({ "1": { "anchor": 5, "head": 2 } }));
}

#[test]
fn who_leaves_is_announced_and_takes_the_selection_along() {
    let server = server();
    let (ada, mut ben) = (User::join(&server, "leave"), User::join(&server, "leave"));
    ada.cut();
    assert_eq!(ben.next_of("users"), json!({ "type": "users", "users": [2] }));
    assert_eq!(User::join(&server, "leave").id(), 3, "numbers are not given twice");
}

#[test]
fn who_comes_back_gets_what_was_missed_and_loses_or_doubles_nothing() {
    let server = server();
    let (mut ada, mut ben) = (User::join(&server, "back"), User::join(&server, "back"));
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ben.next_of("edit");
    // Ada's connection ends before she hears of her edit; Ben goes on.
    let id = ada.id();
    ada.cut();
    ben.edit(1, 1, json!([{ "retain": 1 }, { "insert": "b" }]));
    ben.next_of("edit");

    let mut ada = User::come_back(&server, "back", id, 0);
    assert_eq!(ada.id(), id);
    assert!(ada.welcome.get("document").is_none());
    let missed: Vec<_> = ada.welcome["edits"].as_array().expect("edits").iter().map(|edit| &edit["client"]).collect();
    assert_eq!(missed, [1, 2]);
    ada.edit(1, 0, json!([{ "insert": "a" }]));
    ada.edit(2, 2, json!([{ "retain": 2 }, { "insert": "c" }]));
    assert_eq!(ada.next_of("edit")["seq"], 2);
    assert_eq!(document(&server, "back"), json!([{ "insert": "abc\n" }]));
}

#[test]
fn who_comes_back_on_a_new_connection_is_not_sent_away_with_the_old_one() {
    let server = server();
    let (old, mut ben) = (User::join(&server, "twice"), User::join(&server, "twice"));
    let mut new = User::come_back(&server, "twice", 1, 0);
    old.cut();
    new.until_pong();
    ben.edit(1, 0, json!([{ "insert": "b" }]));
    assert_eq!(new.next_of("edit")["client"], 2);
    assert_eq!(document(&server, "twice"), json!([{ "insert": "b\n" }]));
}

#[test]
fn a_client_that_knows_a_document_the_server_has_not_starts_anew() {
    let server = server();
    let user = User::come_back(&server, "unknown", 7, 12);
    assert_eq!(user.id(), 1);
    assert_eq!(user.welcome["document"], json!([{ "insert": "\n" }]));
}

#[test]
fn thousands_of_documents_come_and_go() {
    let server = server();
    for number in 0..2500 {
        let name = format!("doc-{number}");
        User::join(&server, &name).edit(1, 0, json!([{ "insert": "a" }]));
    }
    assert_eq!(document(&server, "fresh"), json!([{ "insert": "\n" }]));
}
