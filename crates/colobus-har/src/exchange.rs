//! [`Exchange`]: one HTTP request and its response, bodies decoded. Produced by the tap of a proxy when the exchange is
//! over, consumed by HAR files, learners and answerers.

use std::time::{Duration, SystemTime};

/// Names an exchange within one proxy, in the order in which requests arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExchangeId(pub u64);

/// One HTTP request, and its response if there was one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub id: ExchangeId,
    /// When the request arrived at the proxy.
    pub started: SystemTime,
    pub request: Request,
    /// `None` if the client left, the request was refused, or the server failed; `failure` says which.
    pub response: Option<Response>,
    pub responder: Responder,
    pub failure: Option<String>,
    pub timings: Timings,
}

/// Who made the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Responder {
    Server,
    /// An answerer replied in the server's place.
    Answerer,
}

/// A request as the server gets it: without headers that concern the proxy only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// Absolute, with scheme (`http`, `https`, `ws`, `wss`) and port.
    pub url: String,
    /// `HTTP/1.0` or `HTTP/1.1`
    pub version: String,
    pub headers: Vec<Header>,
    /// As the client sent it, before any rewriting.
    pub body: Body,
    /// A rewriter changed the body on its way to the server.
    pub rewritten: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub reason: String,
    pub version: String,
    pub headers: Vec<Header>,
    /// As the server sent it, before any rewriting. Empty for event streams, whose events are told one by one.
    pub body: Body,
    /// A rewriter changed the body on its way to the client.
    pub rewritten: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    /// Bytes that are not UTF-8 are replaced.
    pub value: String,
}

/// The content of a request or response, its content-encoding taken off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    pub content: Vec<u8>,
    /// Bytes that were transferred: encoded, without chunk framing.
    pub transferred: u64,
    /// `content` is only the beginning: the body was larger than the limit of the tap, or broke off.
    pub cut: bool,
    /// Why `content` is still encoded.
    pub undecoded: Option<String>,
}

/// Moments of an exchange, counted from its start. What the gate holds is part of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    /// The request was handed to the server.
    pub sent: Option<Duration>,
    /// The head of the response came.
    pub responded: Option<Duration>,
    /// The response was handed to the client.
    pub delivered: Option<Duration>,
}

impl Header {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Header {
        Header { name: name.into(), value: value.into() }
    }
}

impl Request {
    /// The first value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// The content type without parameters, in lower case; empty if there is none.
    pub fn media_type(&self) -> String {
        media_type(&self.headers)
    }

    /// All content-encodings, in the order in which they were applied; empty if there is none.
    pub fn content_encoding(&self) -> String {
        content_encoding(&self.headers)
    }

    /// A WebSocket handshake.
    pub fn opens_socket(&self) -> bool {
        self.url.starts_with("ws:") || self.url.starts_with("wss:")
    }
}

impl Response {
    /// The first value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// The content type without parameters, in lower case; empty if there is none.
    pub fn media_type(&self) -> String {
        media_type(&self.headers)
    }

    /// All content-encodings, in the order in which they were applied; empty if there is none.
    pub fn content_encoding(&self) -> String {
        content_encoding(&self.headers)
    }
}

fn content_encoding(headers: &[Header]) -> String {
    let given = headers.iter().filter(|header| header.name.eq_ignore_ascii_case("content-encoding"));
    given.map(|header| header.value.as_str()).collect::<Vec<_>>().join(", ")
}

fn find<'h>(headers: &'h [Header], name: &str) -> Option<&'h str> {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    found.map(|header| header.value.as_str())
}

fn media_type(headers: &[Header]) -> String {
    let essence = find(headers, "content-type").unwrap_or_default().split(';').next();
    essence.unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_in_any_case_and_media_types_lose_their_parameters() {
        let headers = vec![Header::new("Content-Type", " Text/HTML; charset=utf-8"), Header::new("X", "1")];
        let response = Response { headers, ..Response::default() };
        assert_eq!(response.media_type(), "text/html");
        assert_eq!(response.header("x"), Some("1"));
        assert_eq!(response.header("y"), None);
        assert_eq!(Request::default().media_type(), "");
    }
}
