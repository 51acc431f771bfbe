//! [`Answerer`]: replies to requests in the server's place. Given to a proxy in [`ProxyOptions`](crate::ProxyOptions);
//! called by the exchanges when the gate has let the request go.

use std::fmt;

use colobus_har::{Header, Request};

/// A stand-in for the server: one that was learned, or one that repeats what was recorded.
///
/// Its answers pass the gate, the rewriter and the tap like those of a server.
///
/// ```
/// use colobus_har::{Header, Request};
/// use colobus_proxy::{Answer, Answerer};
///
/// /// Has an empty list for every path below `/api/`.
/// #[derive(Debug)]
/// struct Empty;
///
/// impl Answerer for Empty {
///     fn wants(&self, request: &Request) -> bool {
///         request.method == "GET"
///     }
///     fn answer(&self, request: &Request) -> Option<Answer> {
///         let headers = vec![Header::new("Content-Type", "application/json")];
///         request.url.contains("/api/").then(|| Answer { status: 200, headers, body: b"[]".to_vec() })
///     }
/// }
/// ```
pub trait Answerer: fmt::Debug + Send + Sync {
    /// Whether it may have an answer to this request, whose body is not here yet.
    fn wants(&self, request: &Request) -> bool;

    /// The answer, or `None` to let the server reply. A WebSocket handshake can be refused or left to the server.
    fn answer(&self, request: &Request) -> Option<Answer>;
}

/// A response without framing, which the proxy adds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// From 200 to 599.
    pub status: u16,
    pub headers: Vec<Header>,
    pub body: Vec<u8>,
}

/// An answer that no client would understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadAnswer {
    #[error("the answer in the server's place has the status {0}; only 200 to 599 are answers")]
    Status(u16),
    #[error("the answer in the server's place has a header that cannot be sent: {0:?}")]
    Header(String),
}

/// Headers that the proxy writes itself.
const OF_THE_PROXY: [&str; 5] = ["content-length", "transfer-encoding", "connection", "keep-alive", "upgrade"];

impl Answer {
    /// The response as a server would send it.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, BadAnswer> {
        if !(200..600).contains(&self.status) {
            return Err(BadAnswer::Status(self.status));
        }
        let mut bytes = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for Header { name, value } in &self.headers {
            if !is_token(name) || value.chars().any(char::is_control) {
                return Err(BadAnswer::Header(name.clone()));
            }
            if !OF_THE_PROXY.iter().any(|own| name.eq_ignore_ascii_case(own)) {
                bytes.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        if !matches!(self.status, 204 | 304) {
            bytes.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        bytes.push_str("\r\n");
        Ok([bytes.as_bytes(), &self.body].concat())
    }
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Shown by developer tools; of no meaning to programs.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        302 => "Found",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        422 => "Unprocessable Content",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Answer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, name: &str, value: &str) -> Result<Vec<u8>, BadAnswer> {
        Answer { status, headers: vec![Header::new(name, value)], body: b"body".to_vec() }.to_bytes()
    }

    #[test]
    fn framing_is_the_proxys_affair() {
        let bytes = answer(200, "Content-Length", "99").unwrap();
        assert_eq!(bytes, b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody");
        let bytes = answer(404, "X-A", "b").unwrap();
        assert_eq!(bytes, b"HTTP/1.1 404 Not Found\r\nX-A: b\r\nContent-Length: 4\r\n\r\nbody");
        assert!(answer(204, "X", "").unwrap().starts_with(b"HTTP/1.1 204 No Content\r\nX: \r\n\r\n"));
    }

    #[test]
    fn answers_that_would_mislead_a_client_are_refused() {
        assert_eq!(answer(101, "X", "y"), Err(BadAnswer::Status(101)));
        assert_eq!(answer(600, "X", "y"), Err(BadAnswer::Status(600)));
        for (name, value) in [("X", "a\r\nSet-Cookie: b"), ("X\r\n", "a"), ("", "a"), ("a b", "c")] {
            assert_eq!(answer(200, name, value), Err(BadAnswer::Header(name.to_owned())));
        }
    }
}
