use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::*;
use crate::exchange::{Body, Exchange, ExchangeId, Header, Request, Responder, Response, Timings};
use crate::message::{Direction, SocketMessage, SocketMessageKind, StreamEvent};

fn moment(millis: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(1_794_779_150_000 + millis)
}

fn body(content: &[u8]) -> Body {
    Body { content: content.to_vec(), transferred: content.len() as u64, cut: false, undecoded: None }
}

fn exchange(id: u64, url: &str, started: u64) -> Exchange {
    let request = Request {
        method: "GET".to_owned(),
        url: url.to_owned(),
        version: "HTTP/1.1".to_owned(),
        headers: vec![Header::new("Cookie", "a=b"), Header::new("Sec-Fetch-Dest", "empty")],
        ..Request::default()
    };
    let response = Response {
        status: 200,
        reason: "OK".to_owned(),
        version: "HTTP/1.1".to_owned(),
        headers: vec![Header::new("Content-Type", "text/plain")],
        body: body(b"hello"),
        rewritten: false,
    };
    let milliseconds = |millis| Some(Duration::from_millis(millis));
    let timings = Timings { sent: milliseconds(1), responded: milliseconds(4), delivered: milliseconds(9) };
    Exchange {
        id: ExchangeId(id),
        started: moment(started),
        request,
        response: Some(response),
        responder: Responder::Server,
        failure: None,
        timings,
    }
}

fn message(direction: Direction, kind: SocketMessageKind, payload: &[u8], delivered: Option<u64>) -> SocketMessage {
    SocketMessage {
        exchange: ExchangeId(1),
        direction,
        kind,
        payload: payload.to_vec(),
        size: payload.len() as u64,
        arrived: moment(1),
        delivered: delivered.map(moment),
    }
}

fn log(capture: &Capture, redaction: &Redaction) -> Value {
    let text = har(&[ClientTraffic { name: "A", capture }], redaction, "1.0");
    serde_json::from_str::<Value>(&text).unwrap()["log"].clone()
}

fn standard(capture: &Capture) -> Value {
    log(capture, &Redaction::standard())
}

#[test]
fn an_exchange_is_an_entry() {
    let mut asked = exchange(3, "http://h:1/p?q=a+b", 0);
    asked.request.method = "POST".to_owned();
    asked.request.body = body(b"\xff\x00");
    let log = standard(&Capture { exchanges: vec![asked], ..Capture::default() });
    let entry = &log["entries"][0];
    assert_eq!(entry["startedDateTime"], "2026-11-15T21:45:50.000Z");
    assert_eq!(entry["time"], 9.0);
    assert_eq!(entry["timings"], serde_json::json!({ "send": 1.0, "wait": 3.0, "receive": 5.0 }));
    assert_eq!(entry["request"]["queryString"][0]["value"], "a b");
    assert_eq!(entry["request"]["postData"]["text"], "/wA=");
    assert_eq!(entry["request"]["headers"][0]["value"], "[redacted]");
    assert_eq!(entry["response"]["content"]["text"], "hello");
    assert_eq!((&entry["_resourceType"], &entry["pageref"]), (&Value::from("fetch"), &Value::from("A")));
    assert_eq!(log["pages"][0]["startedDateTime"], "2026-11-15T21:45:50.000Z");
}

#[test]
fn entries_of_all_clients_come_in_the_order_of_time() {
    let first =
        Capture { exchanges: vec![exchange(1, "http://h/1", 5), exchange(2, "http://h/2", 7)], ..Capture::default() };
    let second = Capture { exchanges: vec![exchange(1, "http://h/3", 6)], left_out: 2, ..Capture::default() };
    let clients = [ClientTraffic { name: "A", capture: &first }, ClientTraffic { name: "B", capture: &second }];
    let log: Value = serde_json::from_str(&har(&clients, &Redaction::standard(), "1.0")).unwrap();
    let entries = log["log"]["entries"].as_array().unwrap();
    let order: Vec<&str> = entries.iter().map(|entry| entry["request"]["url"].as_str().unwrap()).collect();
    assert_eq!(order, ["http://h/1", "http://h/3", "http://h/2"]);
    assert_eq!(log["log"]["pages"][1]["id"], "B");
    assert!(log["log"]["comment"].as_str().unwrap().starts_with("2 bodies and messages were left out"));
}

#[test]
fn socket_messages_are_what_the_page_sent_and_received() {
    use Direction::{ToClient, ToServer};
    use SocketMessageKind::{Binary, Close, Text};
    let socket_messages = vec![
        message(ToServer, Text, b"up", Some(2)),
        message(ToServer, Text, b"lost", None),
        message(ToClient, Binary, b"\x00\xff", Some(500)),
        message(ToClient, Binary, b"text", Some(501)),
        message(ToClient, Text, b"never", None),
        message(ToClient, Close, b"\x03\xe8", Some(502)),
    ];
    let exchanges = vec![exchange(1, "ws://h/", 0), exchange(2, "ws://h/other", 1)];
    let log = standard(&Capture { exchanges, socket_messages, ..Capture::default() });
    let told = |message: &Value| {
        let text = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
        (text("type"), message["opcode"].as_u64().unwrap(), text("data"), text("_error"))
    };
    let messages: Vec<_> = log["entries"][0]["_webSocketMessages"].as_array().unwrap().iter().map(told).collect();
    let expected = [
        ("send", 1, "up", ""),
        ("send", 1, "lost", "never reached the server"),
        ("receive", 2, "AP8=", ""),
        ("receive", 2, "dGV4dA==", ""),
    ];
    let expected =
        expected.map(|(kind, opcode, data, error)| (kind.to_owned(), opcode, data.to_owned(), error.to_owned()));
    assert_eq!(messages, expected);
    assert_eq!(log["entries"][0]["_webSocketMessages"][2]["time"], 1_794_779_150.5);
    assert_eq!(log["entries"][1]["_webSocketMessages"], serde_json::json!([]));
    assert_eq!(log["entries"][0]["_resourceType"], "websocket");
}

#[test]
fn events_of_a_stream_are_its_body() {
    let mut stream = exchange(1, "http://h/e", 0);
    let response = stream.response.as_mut().unwrap();
    response.headers = vec![Header::new("Content-Type", "text/event-stream")];
    response.body = Body::default();
    let event = |text: &str, delivered: Option<u64>| StreamEvent {
        exchange: ExchangeId(1),
        text: text.as_bytes().to_vec(),
        size: text.len() as u64,
        arrived: moment(1),
        delivered: delivered.map(moment),
    };
    let stream_events = vec![event("data: 1\n\n", Some(2)), event("data: 2\n\n", None)];
    let log = standard(&Capture { exchanges: vec![stream], stream_events, ..Capture::default() });
    assert_eq!(log["entries"][0]["response"]["content"]["text"], "data: 1\n\n");
    assert_eq!(log["entries"][0]["_resourceType"], "eventsource");
}

#[test]
fn failures_and_cut_bodies_say_so() {
    let mut failed = exchange(1, "http://h/", 0);
    (failed.response, failed.failure) = (None, Some("the client left".to_owned()));
    let mut cut = exchange(2, "http://h/", 1);
    let response = cut.response.as_mut().unwrap();
    (response.body.cut, response.rewritten) = (true, true);
    let log = standard(&Capture { exchanges: vec![failed, cut], ..Capture::default() });
    assert_eq!(log["entries"][0]["response"]["status"], 0);
    assert_eq!(log["entries"][0]["response"]["_error"], "the client left");
    let comment = &log["entries"][1]["response"]["content"]["comment"];
    assert_eq!(comment, "only the first 5 bytes are here; the receiver got a rewritten body");
}

#[test]
fn secrets_are_nowhere_in_the_file() {
    let secret = "correct horse/battery";
    let mut login = exchange(1, "http://h/login?password=correct+horse%2Fbattery#frag", 0);
    login.request.method = "POST".to_owned();
    login.request.headers.push(Header::new("Content-Type", "application/json"));
    login.request.headers.push(Header::new("X-Copy", secret));
    login.request.body = body(br#"{"user":"me","password":"correct horse/battery"}"#);
    let response = login.response.as_mut().unwrap();
    response.body = body(b"<p>correct horse/battery correct%20horse%2fbattery</p>");
    response.headers.push(Header::new("Location", "/?password=correct+horse%2Fbattery"));
    let socket = exchange(2, "ws://h/", 1);
    let mut told = message(Direction::ToServer, SocketMessageKind::Binary, b"\xffcorrect horse/battery", Some(2));
    told.exchange = ExchangeId(2);
    let capture = Capture { exchanges: vec![login, socket], socket_messages: vec![told], ..Capture::default() };
    let text = har(&[ClientTraffic { name: "A", capture: &capture }], &Redaction::standard(), "1.0");
    for spelling in [secret, "correct+horse", "correct%20horse", "horse\\/battery", "a=b"] {
        assert!(!text.contains(spelling), "{spelling} in {text}");
    }
    let log: Value = serde_json::from_str(&text).unwrap();
    let data = log["log"]["entries"][1]["_webSocketMessages"][0]["data"].as_str().unwrap();
    let data = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    assert_eq!(data, b"\xff[redacted]");
    assert!(text.contains("\"me\\\""), "{text}");
}
