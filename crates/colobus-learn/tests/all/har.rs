//! Captures of several tools, whole and broken.

use colobus_learn::har::{HarError, read};
use colobus_learn::{Body, Direction, Request, Resource};
use serde_json::{Value, json};

fn one(entry: Value) -> (Vec<colobus_learn::Exchange>, Vec<String>) {
    let capture = read(json!({"log": {"version": "1.2", "entries": [entry]}}).to_string().as_bytes()).unwrap();
    (capture.exchanges, capture.notes)
}

#[test]
fn chrome() {
    let (exchanges, notes) = one(json!({
        "_resourceType": "fetch",
        "request": {"method": "POST", "url": "http://h/users", "httpVersion": "h2", "cookies": [], "queryString": [],
            "headers": [{"name": "content-type", "value": "application/json"}],
            "postData": {"mimeType": "application/json", "text": "{\"name\":\"Ann\"}"}},
        "response": {"status": 201, "headers": [{"name": "Content-Type", "value": "application/json; charset=utf-8"}],
            "content": {"size": 8, "mimeType": "application/json", "text": "eyJpZCI6N30=", "encoding": "base64"}},
        "time": 12.5
    }));
    assert_eq!(notes, [] as [&str; 0]);
    assert_eq!(exchanges[0].resource, Some(Resource::Script));
    assert_eq!(exchanges[0].status, 201);
    assert_eq!(exchanges[0].response_body.as_ref().and_then(Body::as_json), Some(json!({"id": 7})));
    assert_eq!(Request::of(&exchanges[0]).body, Some(json!({"name": "Ann"})));
}

#[test]
fn chrome_web_sockets() {
    let (exchanges, _) = one(json!({
        "_resourceType": "websocket",
        "_webSocketMessages": [
            {"type": "send", "time": 1.0, "opcode": 1, "data": "{\"type\":\"join\"}"},
            {"type": "receive", "time": 2.0, "opcode": 1, "data": "{\"type\":\"joined\"}"}],
        "request": {"method": "GET", "url": "ws://h/chat", "headers": []},
        "response": {"status": 101, "headers": [], "content": {"size": 0, "mimeType": "x-unknown"}}
    }));
    let directions: Vec<Direction> = exchanges[0].messages.iter().map(|message| message.direction).collect();
    assert_eq!(directions, [Direction::Send, Direction::Receive]);
}

/// Fields of forms without their text, a body that was not kept, values that are missing.
#[test]
fn firefox_and_playwright() {
    let (exchanges, _) = one(json!({
        "request": {"method": "POST", "url": "http://h/login", "headers": [],
            "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "",
                "params": [{"name": "user", "value": "ann%20b"}, {"name": "file", "fileName": "a.png"}]}},
        "response": {"status": 200, "headers": [], "content": {"size": 20, "mimeType": "text/html", "_sha1": "abc.html"}}
    }));
    let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
    assert_eq!(Request::of(&exchanges[0]).parameters, [pair("user", "ann b"), pair("file", "a.png")]);
    assert_eq!(exchanges[0].response_body, None, "its body is in another file");
}

#[test]
fn mitmproxy_keeps_empty_post_data() {
    let (exchanges, _) = one(json!({
        "request": {"method": "DELETE", "url": "http://h/users/7", "headers": [],
            "postData": {"mimeType": "", "text": "", "params": []}},
        "response": {"status": 204, "headers": [], "content": {"size": 0, "compression": 0, "mimeType": ""}}
    }));
    assert_eq!(exchanges[0].request_body, None);
    assert_eq!(exchanges[0].response_body, Some(Body::new("", "")));
}

#[test]
fn broken_bodies_are_notes() {
    let answered = |content: Value| {
        one(json!({"request": {"method": "GET", "url": "http://h/", "headers": []},
            "response": {"status": 200, "headers": [], "content": content}}))
    };
    let (exchanges, notes) = answered(json!({"size": 3, "mimeType": "image/png", "text": "%%%", "encoding": "base64"}));
    assert_eq!((exchanges[0].response_body.clone(), notes.len()), (None, 1));
    let (exchanges, notes) = answered(json!({"size": 900, "mimeType": "application/json", "text": "{\"a\": [1, 2"}));
    assert_eq!(exchanges[0].response_body, None);
    assert_eq!(notes, ["entry 1: the answer was cut off by the tool that recorded it; its shape is unknown"]);
}

#[test]
fn an_entry_without_an_address_is_left_out_and_the_others_stay() {
    let good = json!({"request": {"method": "GET", "url": "http://h/"}, "response": {"status": 200}});
    let capture = read(json!({"log": {"entries": [{"request": {}}, good]}}).to_string().as_bytes()).unwrap();
    assert_eq!(capture.exchanges.len(), 1);
    assert!(capture.notes[0].starts_with("entry 1 was left out: missing field"), "{:?}", capture.notes);
}

#[test]
fn other_files_are_refused() {
    let cut = read(b"{\"log\": {\n\"entries\": [");
    assert!(matches!(cut, Err(HarError::Truncated { line: 2 })), "{cut:?}");
    let html = read(b"<html>");
    assert!(matches!(html, Err(HarError::NoJson { line: 1, column: 1, .. })), "{html:?}");
    assert!(matches!(read(b"{\"openapi\": \"3.1.0\"}"), Err(HarError::NoHar)));
    assert!(read(b"\xef\xbb\xbf{\"log\": {\"entries\": []}}").is_ok(), "a byte order mark");
    assert!(read(&[0xff, 0xfe, 0, 1]).is_err());
    assert!(read(b"").is_err());
    assert!(read("[".repeat(100_000).as_bytes()).is_err(), "deep nesting is refused, not followed");
}
