//! One entry of a HAR file, as it is written; tools differ in what they leave out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::exchange::{Body, Direction, Exchange, Message, Resource, header};
use crate::url::encode;

#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    request: Asked,
    response: Answered,
    /// Chrome and Playwright.
    #[serde(rename = "_resourceType")]
    resource_type: Option<String>,
    /// Chrome and mitmproxy.
    #[serde(rename = "_webSocketMessages", default)]
    messages: Vec<SocketMessage>,
}

#[derive(Debug, Deserialize)]
struct Asked {
    method: String,
    url: String,
    #[serde(default)]
    headers: Vec<Pair>,
    #[serde(rename = "postData")]
    post_data: Option<PostData>,
}

#[derive(Debug, Deserialize)]
struct Answered {
    status: i64,
    #[serde(default)]
    headers: Vec<Pair>,
    #[serde(default)]
    content: Content,
}

#[derive(Debug, Deserialize)]
struct Pair {
    name: String,
    #[serde(default)]
    value: String,
}

#[derive(Debug, Deserialize)]
struct PostData {
    #[serde(rename = "mimeType", default)]
    mime_type: String,
    text: Option<String>,
    encoding: Option<String>,
    #[serde(default)]
    params: Vec<Param>,
}

#[derive(Debug, Deserialize)]
struct Param {
    name: String,
    value: Option<String>,
    #[serde(rename = "fileName")]
    file_name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Content {
    #[serde(rename = "mimeType", default)]
    mime_type: String,
    #[serde(default)]
    size: i64,
    text: Option<String>,
    encoding: Option<String>,
}

#[derive(Debug, Deserialize)]
struct SocketMessage {
    #[serde(rename = "type")]
    direction: String,
    #[serde(default)]
    data: String,
}

impl Entry {
    /// The exchange, and what is wrong with it.
    pub(super) fn exchange(self) -> (Exchange, Vec<String>) {
        let mut notes = Vec::new();
        let request_headers = pairs(self.request.headers);
        let response_headers = pairs(self.response.headers);
        let mut exchange = Exchange {
            method: self.request.method,
            url: self.request.url,
            request_body: self.request.post_data.map(|data| request_body(data, &request_headers, &mut notes)),
            status: u16::try_from(self.response.status).unwrap_or(0),
            response_body: response_body(self.response.content, &response_headers, &mut notes),
            request_headers,
            response_headers,
            resource: self.resource_type.as_deref().and_then(resource),
            messages: self.messages.into_iter().filter_map(message).collect(),
        };
        // Some tools say "no postData" by an empty one.
        exchange.request_body = exchange.request_body.filter(|body| !body.content.is_empty());
        (exchange, notes)
    }
}

fn pairs(headers: Vec<Pair>) -> Vec<(String, String)> {
    headers.into_iter().map(|pair| (pair.name, pair.value)).collect()
}

fn resource(kind: &str) -> Option<Resource> {
    match kind {
        "xhr" | "fetch" | "websocket" | "eventsource" => Some(Resource::Script),
        "document" | "stylesheet" | "script" | "image" | "font" | "media" | "manifest" | "preflight" => {
            Some(Resource::Page)
        }
        _ => None,
    }
}

fn message(message: SocketMessage) -> Option<Message> {
    let direction = match message.direction.as_str() {
        "send" => Direction::Send,
        "receive" => Direction::Receive,
        _ => return None,
    };
    Some(Message { direction, text: message.data })
}

/// The type of a body: the header is nearer to the truth than what tools make of it.
fn content_type(mime_type: String, headers: &[(String, String)]) -> String {
    let declared = header(headers, "content-type").map(str::to_string);
    declared.filter(|declared| !declared.is_empty()).unwrap_or(if mime_type == "x-unknown" {
        String::new()
    } else {
        mime_type
    })
}

fn request_body(data: PostData, headers: &[(String, String)], notes: &mut Vec<String>) -> Body {
    let content_type = content_type(data.mime_type, headers);
    let content = match data.text {
        Some(text) if !text.is_empty() => decoded(text, data.encoding.as_deref(), notes).unwrap_or_default(),
        _ => return from_params(&data.params, content_type),
    };
    Body { content_type, content }
}

/// Firefox and Playwright may keep the fields of a form instead of its text.
fn from_params(params: &[Param], content_type: String) -> Body {
    let value = |param: &Param| param.value.clone().or_else(|| param.file_name.clone()).unwrap_or_default();
    // Some tools percent-encode the values and some do not; reading them once more does no harm to the second kind.
    let plain = |text: &str| crate::url::decode(text, false);
    let fields: Vec<String> = params
        .iter()
        .map(|param| format!("{}={}", encode(&plain(&param.name)), encode(&plain(&value(param)))))
        .collect();
    let form = content_type.is_empty() || content_type.starts_with("multipart/");
    let content_type = if form { "application/x-www-form-urlencoded".to_string() } else { content_type };
    Body { content_type, content: fields.join("&").into_bytes() }
}

fn response_body(content: Content, headers: &[(String, String)], notes: &mut Vec<String>) -> Option<Body> {
    let content_type = content_type(content.mime_type, headers);
    let Some(text) = content.text else {
        // An empty answer has no text; a larger one was not kept.
        return (content.size <= 0).then(|| Body { content_type, content: Vec::new() });
    };
    let kept = decoded(text, content.encoding.as_deref(), notes)?;
    let body = Body { content_type, content: kept };
    let declared_json = body.media_type().ends_with("json");
    let cut_off = usize::try_from(content.size).is_ok_and(|size| size > body.content.len());
    if declared_json && !body.content.is_empty() && body.as_json().is_none() {
        let reason =
            if cut_off { "was cut off by the tool that recorded it" } else { "is declared as JSON and is none" };
        notes.push(format!("the answer {reason}; its shape is unknown"));
        return None;
    }
    Some(body)
}

fn decoded(text: String, encoding: Option<&str>, notes: &mut Vec<String>) -> Option<Vec<u8>> {
    if encoding.is_none_or(|encoding| !encoding.eq_ignore_ascii_case("base64")) {
        return Some(text.into_bytes());
    }
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let decoded = STANDARD.decode(compact);
    if decoded.is_err() {
        notes.push("a body is declared as base64 and is none".to_string());
    }
    decoded.ok()
}
