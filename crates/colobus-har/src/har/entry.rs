//! One entry of a HAR file: an exchange, and the messages that it led to.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::content::{Written, comment, written};
use super::{ClientTraffic, date, seconds};
use crate::exchange::{Exchange, ExchangeId, Header, Request, Responder, Response, Timings};
use crate::message::{Direction, SocketMessage, SocketMessageKind};
use crate::redact::{Redaction, query};

pub(super) fn entry(client: &ClientTraffic, exchange: &Exchange, redaction: &Redaction) -> Value {
    let (time, timings) = timings(&exchange.timings);
    let mut entry = json!({
        "pageref": client.name,
        "startedDateTime": date(exchange.started),
        "time": time,
        "request": request(&exchange.request, redaction),
        "response": response(client, exchange, redaction),
        "cache": {},
        "timings": timings,
        "connection": exchange.id.0.to_string(),
        "_resourceType": resource_type(exchange),
    });
    if exchange.responder == Responder::Answerer {
        entry["comment"] = json!("answered in the server's place");
    }
    if exchange.request.opens_socket() {
        let messages = client.capture.socket_messages.iter().filter(|message| message.exchange == exchange.id);
        let messages: Vec<Value> = messages.filter_map(|message| socket_message(message, redaction)).collect();
        entry["_webSocketMessages"] = Value::Array(messages);
    }
    entry
}

fn request(request: &Request, redaction: &Redaction) -> Value {
    let url = redaction.url(&request.url);
    let pairs = query(&url).into_iter();
    let mut written_request = json!({
        "method": request.method,
        "httpVersion": request.version,
        "queryString": pairs.map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
        "url": url,
        "headers": headers(&request.headers, redaction),
        "cookies": [],
        "headersSize": -1,
        "bodySize": request.body.transferred,
    });
    if request.body.transferred > 0 {
        let content_type = request.header("content-type").unwrap_or_default();
        let mut data = Map::new();
        data.insert("mimeType".to_owned(), json!(content_type));
        match written(redaction.content(content_type, &request.body.content)) {
            Written::Text(text) => data.insert("text".to_owned(), json!(text)),
            Written::Base64(text) => {
                data.insert("_encoding".to_owned(), json!("base64"));
                data.insert("text".to_owned(), json!(text))
            }
        };
        if let Some(comment) = comment(&request.body, request.rewritten) {
            data.insert("comment".to_owned(), json!(comment));
        }
        written_request["postData"] = Value::Object(data);
    }
    written_request
}

fn response(client: &ClientTraffic, exchange: &Exchange, redaction: &Redaction) -> Value {
    let none = Response { version: "unknown".to_owned(), ..Response::default() };
    let response = exchange.response.as_ref().unwrap_or(&none);
    let location = response.header("location").unwrap_or_default();
    let mut written_response = json!({
        "status": response.status,
        "statusText": redaction.text(&response.reason),
        "httpVersion": response.version,
        "headers": headers(&response.headers, redaction),
        "cookies": [],
        "content": content(client, exchange.id, response, redaction),
        "redirectURL": redaction.url(location),
        "headersSize": -1,
        "bodySize": response.body.transferred,
    });
    if let Some(failure) = &exchange.failure {
        written_response["_error"] = json!(redaction.text(failure));
    }
    written_response
}

fn content(client: &ClientTraffic, id: ExchangeId, response: &Response, redaction: &Redaction) -> Value {
    let content_type = response.header("content-type").unwrap_or("x-unknown");
    let mut body = response.body.content.clone();
    // A stream of events has no body of its own: its events are it.
    let events = client.capture.stream_events.iter().filter(|event| event.exchange == id && event.delivered.is_some());
    events.for_each(|event| body.extend_from_slice(&event.text));
    let mut content = json!({ "size": body.len(), "mimeType": content_type });
    match written(redaction.content(content_type, &body)) {
        Written::Text(text) => content["text"] = json!(text),
        Written::Base64(text) => {
            content["text"] = json!(text);
            content["encoding"] = json!("base64");
        }
    }
    if let Some(comment) = comment(&response.body, response.rewritten) {
        content["comment"] = json!(comment);
    }
    content
}

/// As the page saw it: sent when it left the page, received when it came there. What never came is left out.
fn socket_message(message: &SocketMessage, redaction: &Redaction) -> Option<Value> {
    let (kind, time) = match message.direction {
        Direction::ToServer => ("send", message.arrived),
        Direction::ToClient => ("receive", message.delivered?),
    };
    let opcode = match message.kind {
        SocketMessageKind::Text => 1,
        SocketMessageKind::Binary => 2,
        SocketMessageKind::Close => return None,
    };
    let payload = redaction.content("", &message.payload);
    let data = match (written(payload), message.kind) {
        (Written::Text(text), SocketMessageKind::Text) => text,
        (Written::Base64(text), _) => text,
        // Binary messages are in base64, also when they happen to be text.
        (Written::Text(text), _) => base64::Engine::encode(&base64::engine::general_purpose::STANDARD, text),
    };
    let mut written_message = json!({ "type": kind, "time": seconds(time), "opcode": opcode, "data": data });
    if message.is_cut() {
        written_message["_size"] = json!(message.size);
    }
    if message.direction == Direction::ToServer && message.delivered.is_none() {
        written_message["_error"] = json!("never reached the server");
    }
    Some(written_message)
}

fn headers(headers: &[Header], redaction: &Redaction) -> Vec<Value> {
    let redacted = headers.iter().map(|header| redaction.header(header));
    redacted.map(|header| json!({ "name": header.name, "value": header.value })).collect()
}

/// The whole time, and its parts, in milliseconds.
fn timings(timings: &Timings) -> (f64, Value) {
    let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1000.0;
    let sent = timings.sent.unwrap_or_default();
    let responded = timings.responded.unwrap_or(sent).max(sent);
    let delivered = timings.delivered.unwrap_or(responded).max(responded);
    let (send, wait, receive) =
        (milliseconds(sent), milliseconds(responded - sent), milliseconds(delivered - responded));
    (milliseconds(delivered), json!({ "send": send, "wait": wait, "receive": receive }))
}

/// What the browser wanted it for, in the words of its developer tools.
fn resource_type(exchange: &Exchange) -> &'static str {
    let streams = exchange.response.as_ref().is_some_and(|response| response.media_type() == "text/event-stream");
    match exchange.request.header("sec-fetch-dest") {
        _ if exchange.request.opens_socket() => "websocket",
        _ if streams => "eventsource",
        Some("document" | "iframe" | "frame") => "document",
        Some("script" | "worker" | "sharedworker" | "serviceworker") => "script",
        Some("style") => "stylesheet",
        Some("image") => "image",
        Some("font") => "font",
        Some("audio" | "video") => "media",
        Some("manifest") => "manifest",
        Some("empty") => "fetch",
        _ => "other",
    }
}
