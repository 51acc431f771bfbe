//! [`Missed`]: exchanges that the description does not know and the real server answered, kept as a HAR file to learn from.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use colobus_har::{
    Body, Capture, ClientTraffic, Exchange, ExchangeId, Header, Moment, Redaction, Request, Responder, Response,
    Timings, har,
};

use super::http::Incoming;
use crate::output::tell;

/// Bytes of one answer that are kept.
pub(super) const LARGEST_ANSWER: usize = 4 << 20;
/// Exchanges that are kept: the first ones show what is missing.
const MOST_EXCHANGES: usize = 1_000;
const MOST_HEADERS: usize = 128;

pub struct Missed {
    file: PathBuf,
    capture: Mutex<Capture>,
}

impl Missed {
    /// Writes an empty file, to see that it can be written.
    pub fn new(file: PathBuf) -> anyhow::Result<Missed> {
        let missed = Missed { file, capture: Mutex::default() };
        missed.write(&Capture::default()).map_err(|error| anyhow::anyhow!(error))?;
        Ok(missed)
    }

    /// Keeps an exchange; `answer` is all that the server at `host` sent.
    pub(super) fn keep(&self, host: &str, incoming: &Incoming, answer: &[u8]) {
        let Some(response) = response(answer) else { return };
        let mut capture = self.capture.lock().unwrap_or_else(PoisonError::into_inner);
        let number = capture.exchanges.len();
        if number >= MOST_EXCHANGES {
            return;
        }
        capture.exchanges.push(Exchange {
            id: ExchangeId(number as u64),
            started: Moment(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()),
            request: request(host, incoming),
            response: Some(response),
            responder: Responder::Server,
            failure: None,
            timings: Timings { responded: Some(Duration::ZERO), ..Timings::default() },
        });
        if let Err(error) = self.write(&capture) {
            tell(&error);
        }
    }

    /// The whole file anew: it is always complete, whenever the mock is ended.
    fn write(&self, capture: &Capture) -> Result<(), String> {
        let text = har(&[ClientTraffic { name: "mock", capture }], &Redaction::default(), env!("CARGO_PKG_VERSION"));
        fs::write(&self.file, text).map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }
}

fn body(content: Vec<u8>, cut: bool) -> Body {
    Body { transferred: content.len() as u64, content, cut, undecoded: None }
}

fn request(host: &str, incoming: &Incoming) -> Request {
    Request {
        method: incoming.method.clone(),
        url: format!("http://{host}{}", incoming.target),
        version: "HTTP/1.1".to_string(),
        headers: incoming.headers.iter().map(|(name, value)| Header::new(name, value)).collect(),
        body: body(incoming.body.clone(), false),
        rewritten: false,
    }
}

/// The answer in these bytes, which end with it; nothing if they are no HTTP.
fn response(bytes: &[u8]) -> Option<Response> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Response::new(&mut headers);
    let Ok(httparse::Status::Complete(begin)) = parsed.parse(bytes) else { return None };
    let text = |header: &httparse::Header<'_>| String::from_utf8_lossy(header.value).into_owned();
    let headers: Vec<Header> = parsed.headers.iter().map(|header| Header::new(header.name, text(header))).collect();
    let response = Response {
        status: parsed.code?,
        reason: parsed.reason.unwrap_or_default().to_string(),
        version: "HTTP/1.1".to_string(),
        headers,
        ..Response::default()
    };
    let sent = &bytes[begin..];
    let is_chunked = response.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
    let content = if is_chunked { unchunked(sent) } else { sent.to_vec() };
    Some(Response { body: body(content, bytes.len() >= LARGEST_ANSWER), ..response })
}

/// The content of chunks, as far as it is here.
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    while let Ok(httparse::Status::Complete((begin, size))) = httparse::parse_chunk_size(rest) {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let end = begin.saturating_add(size).min(rest.len());
        content.extend_from_slice(&rest[begin..end]);
        // Behind every chunk there is an empty line.
        rest = rest.get(end + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_with_and_without_chunks() {
        let plain = response(b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        assert_eq!((plain.status, plain.body.content.as_slice()), (201, &b"{}"[..]));
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n";
        assert_eq!(response(chunked).unwrap().body.content, b"[1,2]");
        assert_eq!(response(&chunked[..58]).unwrap().body.content, b"[1,", "one that breaks off in a chunk");
        assert_eq!(response(b"nonsense"), None);
    }
}
