//! [`Sample`]: an exchange as the learner sees it. Files of the page itself are left out.

use std::collections::HashSet;

use serde_json::Value;

use crate::exchange::{Body, Exchange, Resource};
use crate::learned::origin_of_most;
use crate::request::Request;
use crate::schema::Shape;
use crate::secret::Secrets;

#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub request: Request,
    pub status: u16,
    pub answer: Content,
    /// The media type of the request body.
    pub body_type: Option<String>,
    pub body: Option<Shape>,
    /// The scheme of the Authorization header, or the name of the header that holds a key.
    pub auth: Option<String>,
}

/// What an answer consists of.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Void,
    Json { media: String, value: Value, shape: Shape },
    Other { media: String },
}

pub(super) struct Traffic {
    pub base: String,
    pub samples: Vec<Sample>,
    pub notes: Vec<String>,
}

impl Sample {
    pub(super) fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// The exchanges with the server that most of them go to.
pub(super) fn read(exchanges: &[Exchange], secrets: &Secrets) -> Traffic {
    let calls: Vec<Exchange> = exchanges.iter().filter(|exchange| is_call(exchange)).cloned().collect();
    let (base, kept) = origin_of_most(&calls);
    let samples: Vec<Sample> = kept.iter().map(|exchange| sample(exchange, secrets)).collect();
    let mut notes = Vec::new();
    let channels = exchanges.iter().filter(|exchange| is_channel(exchange)).count();
    let (files, others) = (exchanges.len() - calls.len() - channels, calls.len() - kept.len());
    if files > 0 {
        notes.push(format!("{files} files of the page (documents, styles, scripts, images) were left out"));
    }
    if others > 0 {
        notes.push(format!(
            "{others} exchanges were left out: with other servers than {base}, redirects, cached or without a body"
        ));
    }
    Traffic { base, samples, notes }
}

fn sample(exchange: &Exchange, secrets: &Secrets) -> Sample {
    let request = Request::of(exchange);
    let body = request.body.as_ref().map(|body| Shape::of(body, secrets));
    Sample {
        status: exchange.status,
        answer: content(exchange.response_body.as_ref(), secrets),
        body_type: exchange.request_body.as_ref().map(Body::media_type),
        body,
        auth: auth(exchange),
        request,
    }
}

fn content(body: Option<&Body>, secrets: &Secrets) -> Content {
    let Some(body) = body.filter(|body| !body.content.is_empty()) else { return Content::Void };
    let media = body.media_type();
    match body.as_json() {
        Some(value) => {
            let shape = Shape::of(&value, secrets);
            Content::Json { media: if media.is_empty() { "application/json".to_string() } else { media }, value, shape }
        }
        None => Content::Other { media: if media.is_empty() { "application/octet-stream".to_string() } else { media } },
    }
}

fn auth(exchange: &Exchange) -> Option<String> {
    let scheme = |value: &str| value.split(' ').next().unwrap_or_default().to_ascii_lowercase();
    let known = |scheme: &String| ["bearer", "basic", "digest", "token", "negotiate"].contains(&scheme.as_str());
    match exchange.request_header("authorization") {
        Some(value) => Some(scheme(value)).filter(known),
        None => exchange.request_header("x-api-key").map(|_| "x-api-key".to_string()),
    }
}

fn is_channel(exchange: &Exchange) -> bool {
    let body = exchange.response_body.as_ref();
    !exchange.messages.is_empty() || body.is_some_and(|body| body.media_type() == "text/event-stream")
}

/// True for what scripts ask for. Without a word from the capture the type of the answer decides.
fn is_call(exchange: &Exchange) -> bool {
    let media = exchange.response_body.as_ref().map(Body::media_type).unwrap_or_default();
    match exchange.resource {
        // Channels are learned from their messages.
        _ if is_channel(exchange) => return false,
        Some(Resource::Script) => return true,
        Some(Resource::Page) => return false,
        None => {}
    }
    let get = exchange.method.eq_ignore_ascii_case("GET");
    let file = ["image/", "font/", "video/", "audio/", "text/css", "application/font", "application/wasm"]
        .iter()
        .any(|prefix| media.starts_with(prefix))
        || media.contains("javascript")
        || (media == "text/html" && get);
    let json = exchange.response_body.as_ref().and_then(Body::as_json).is_some();
    !file || json
}

/// Fields whose values name kinds or links, and so may equal a route without being a value in it.
const KINDS_AND_LINKS: [&str; 16] = [
    "type",
    "kind",
    "resource",
    "collection",
    "rel",
    "href",
    "url",
    "uri",
    "link",
    "self",
    "next",
    "prev",
    "action",
    "method",
    "object",
    "route",
];

/// Every text and whole number in answers and bodies, but for names of kinds and links.
pub(super) fn known_values(samples: &[Sample]) -> HashSet<String> {
    let mut known = HashSet::new();
    for sample in samples {
        if let Content::Json { value, .. } = &sample.answer
            && sample.succeeded()
        {
            collect(value, &mut known);
        }
        sample.request.body.iter().for_each(|body| collect(body, &mut known));
    }
    known
}

const LONGEST_VALUE: usize = 200;

fn collect(value: &Value, known: &mut HashSet<String>) {
    match value {
        Value::String(text) if text.len() <= LONGEST_VALUE && !known.contains(text) => {
            known.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, known)),
        Value::Object(fields) => {
            for (name, value) in fields {
                if !KINDS_AND_LINKS.contains(&name.to_ascii_lowercase().as_str()) {
                    collect(value, known);
                }
            }
        }
        _ => {}
    }
}
