//! What should not come, and what the server does then.

use crate::user::{User, document, server};
use colobus_demo::{DemoError, DemoOptions, DemoServer};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use tungstenite::Message;

#[test]
fn a_taken_port_is_named() {
    let first = server();
    let error = DemoServer::start(DemoOptions { port: first.port(), ..DemoOptions::default() }).unwrap_err();
    assert!(matches!(error, DemoError::PortTaken { port } if port == first.port()));
    assert!(error.to_string().contains("choose another port"), "{error}");
}

#[test]
fn a_dropped_server_cuts_its_clients_off_and_frees_its_port() {
    let server = server();
    let (port, user) = (server.port(), User::join(&server, "drop"));
    drop(server);
    user.wait_until_cut_off();
    DemoServer::start(DemoOptions { port, ..DemoOptions::default() }).expect("the port is free again");
}

#[test]
fn garbage_is_refused_and_the_connection_lives_on() {
    let server = server();
    let mut user = User::join(&server, "garbage");
    let far = u64::MAX;
    let garbage = [
        Message::text("{"),
        Message::text("[1]"),
        Message::text(r#"{"type":"edit"}"#),
        Message::text(r#"{"type":"edit","seq":1,"revision":0,"op":[{"insert":"a","attributes":{"blink":true}}]}"#),
        Message::text(r#"{"type":"edit","seq":1,"revision":0,"op":[{"retain":-1}]}"#),
        Message::text(r#"{"type":"edit","seq":1,"revision":9,"op":[{"insert":"a"}]}"#),
        Message::text(format!(
            r#"{{"type":"edit","seq":1,"revision":0,"op":[{{"retain":{far}}},{{"delete":{far}}}]}}"#
        )),
        Message::binary(vec![0, 159, 146, 150]),
    ];
    for message in garbage {
        user.send_raw(message);
        assert!(user.next_of("rejected")["reason"].is_string());
    }
    user.send(&json!({ "type": "presence", "revision": 0, "range": { "anchor": far, "head": 0 } }));
    user.edit(1, 0, json!([{ "insert": "a" }]));
    user.next_of("edit");
    assert_eq!(document(&server, "garbage"), json!([{ "insert": "a\n" }]));
}

#[test]
fn a_refused_edit_is_followed_by_the_document() {
    let server = server();
    let mut user = User::join(&server, "refused");
    user.edit(1, 0, json!([{ "delete": 1 }]));
    user.next_of("rejected");
    assert_eq!(user.next_of("welcome")["document"], json!([{ "insert": "\n" }]));
}

#[test]
fn a_message_that_is_too_long_ends_its_own_connection_only() {
    let server = server();
    let (mut ada, mut ben) = (User::join(&server, "long"), User::join(&server, "long"));
    ada.send_raw(Message::text("x".repeat(300 * 1024)));
    ada.wait_until_cut_off();
    ben.edit(1, 0, json!([{ "insert": "b" }]));
    assert_eq!(ben.next_of("edit")["revision"], 1);
}

fn answer(server: &DemoServer, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("the server listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers and closes");
    answer
}

#[test]
fn http_answers_are_what_they_should_be() {
    let server = server();
    let get = |path: &str| answer(&server, &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n"));
    let page = get("/?doc=any");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains(r#"{"bugs":[]}"#) && !page.contains("{{"), "{page}");
    assert!(get("/nothing").starts_with("HTTP/1.1 404"));
    assert!(get("/assets/0000000000000000/main.js").starts_with("HTTP/1.1 404"));
    assert!(answer(&server, "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").starts_with("HTTP/1.1 405"));
    assert!(answer(&server, "what?\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(answer(&server, &"x".repeat(16 * 1024)).starts_with("HTTP/1.1 400"));
    let long = format!(
        "GET /socket?doc={} HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "d".repeat(300)
    );
    assert!(answer(&server, &long).starts_with("HTTP/1.1 414"));
}

#[test]
fn every_module_that_the_page_names_is_served() {
    let server = server();
    let page = answer(&server, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    let named: Vec<_> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(named.len() > 10, "{named:?}");
    for path in named {
        let asset = answer(&server, &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n\r\n"));
        assert!(asset.starts_with("HTTP/1.1 200 OK"), "{path}");
    }
}
