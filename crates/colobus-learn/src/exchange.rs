//! [`Exchange`]: one request and its answer, as a capture holds them. Produced by [`har`](crate::har) and by proxies,
//! consumed by the learners.

/// A request and its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    pub method: String,
    /// The whole address, with the origin.
    pub url: String,
    pub request_headers: Vec<(String, String)>,
    pub request_body: Option<Body>,
    pub status: u16,
    pub response_headers: Vec<(String, String)>,
    /// `None`: the capture holds no body, which says nothing about its shape. An empty answer is an empty body.
    pub response_body: Option<Body>,
    /// What the browser wanted it for, if the capture says so.
    pub resource: Option<Resource>,
    /// Messages of a WebSocket that this exchange opened.
    pub messages: Vec<Message>,
}

/// Content and its type. The type may have parameters: `text/html; charset=utf-8`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub content_type: String,
    pub content: Vec<u8>,
}

/// Who asked: a script, or the browser itself for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Script,
    Page,
}

/// One message of a WebSocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub direction: Direction,
    pub text: String,
}

/// Seen from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    Send,
    Receive,
}

impl Body {
    pub fn new(content_type: &str, content: impl Into<Vec<u8>>) -> Body {
        Body { content_type: content_type.to_string(), content: content.into() }
    }

    pub fn json(content: &serde_json::Value) -> Body {
        Body::new("application/json", content.to_string())
    }

    /// The type without its parameters, in lower case.
    pub fn media_type(&self) -> String {
        self.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The content as JSON: if the type says so, or says nothing and the content is an object or a list.
    pub fn as_json(&self) -> Option<serde_json::Value> {
        let media = self.media_type();
        let declared = media.ends_with("/json") || media.ends_with("+json");
        let first = self.content.iter().find(|byte| !byte.is_ascii_whitespace());
        // Servers send JSON as text/plain or text/html; only a container is unmistakable there.
        let container = first.is_some_and(|byte| matches!(byte, b'{' | b'['));
        let possible = declared || (container && (media.is_empty() || media.starts_with("text/") || is_script(&media)));
        if possible { serde_json::from_slice(&self.content).ok() } else { None }
    }
}

fn is_script(media: &str) -> bool {
    matches!(media, "application/javascript" | "application/x-javascript" | "application/octet-stream")
}

impl Exchange {
    /// The value of a request header.
    pub fn request_header(&self, name: &str) -> Option<&str> {
        header(&self.request_headers, name)
    }

    /// The value of a response header.
    pub fn response_header(&self, name: &str) -> Option<&str> {
        header(&self.response_headers, name)
    }
}

pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}
