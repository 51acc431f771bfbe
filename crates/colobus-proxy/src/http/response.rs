//! The head of a response, as the server sent it and as the client gets it.

use super::super::split::body::Framing;
use super::headers::{HeadError, Headers, MOST_HEADERS, length_of_head, write_header};

#[derive(Debug)]
pub(crate) struct Response {
    pub status: u16,
    /// The head for the client.
    pub outgoing: Vec<u8>,
    pub framing: Framing,
    pub keep_alive: bool,
    pub content_type: Option<String>,
    /// Where a client that follows redirects goes next, as it is written.
    pub location: Option<String>,
    encoded: bool,
}

impl Response {
    /// Parses the head at the beginning of `buffered`; returns it with its length, or `None` when it is not all there.
    pub fn parse(
        buffered: &[u8],
        method: &str,
        client_keeps_alive: bool,
    ) -> Result<Option<(Response, usize)>, HeadError> {
        let mut storage = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Response::new(&mut storage);
        let mut config = httparse::ParserConfig::default();
        config.allow_spaces_after_header_name_in_responses(true);
        let Some(len) = length_of_head(config.parse_response(&mut parsed, buffered)?, buffered)? else {
            return Ok(None);
        };
        let status = parsed.code.unwrap_or_default();
        let minor_version = parsed.version.unwrap_or(1);
        let headers = Headers(parsed.headers);
        let framing = framing(status, method, &headers)?;
        let keep_alive = client_keeps_alive && headers.keeps_alive(minor_version) && framing != Framing::UntilClose;
        let status_line = format!("HTTP/1.{minor_version} {status} {}", parsed.reason.unwrap_or_default());
        let response = Response {
            status,
            outgoing: rewrite(&status_line, status, minor_version, &headers, keep_alive),
            framing,
            keep_alive,
            content_type: headers.value("content-type").map(str::to_owned),
            location: headers.value("location").filter(|_| (300..400).contains(&status)).map(str::to_owned),
            encoded: headers.value("content-encoding").is_some_and(|coding| coding != "identity"),
        };
        Ok(Some((response, len)))
    }

    /// 1xx: another head follows, except after 101.
    pub fn is_interim(&self) -> bool {
        (100..200).contains(&self.status) && self.status != 101
    }

    /// A stream of server-sent events that can be cut into them.
    pub fn is_event_stream(&self) -> bool {
        self.has_type("text/event-stream") && !self.encoded && self.framing != Framing::Empty
    }

    /// Whether its type says that it goes on until one side has enough.
    pub fn is_endless(&self) -> bool {
        self.has_type("text/event-stream") || self.has_type("multipart/x-mixed-replace")
    }

    fn has_type(&self, wanted: &str) -> bool {
        let media_type = self.content_type.as_deref().unwrap_or_default();
        media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(wanted)
    }

    pub fn summary(&self) -> String {
        match &self.content_type {
            Some(content_type) => format!("{} {content_type}", self.status),
            None => self.status.to_string(),
        }
    }
}

fn framing(status: u16, method: &str, headers: &Headers) -> Result<Framing, HeadError> {
    if method == "HEAD" || (100..200).contains(&status) || matches!(status, 204 | 304) {
        return Ok(Framing::Empty);
    }
    if headers.is_chunked()? {
        return Ok(Framing::Chunked);
    }
    Ok(headers.content_length()?.map_or(Framing::UntilClose, Framing::Length))
}

fn rewrite(status_line: &str, status: u16, minor_version: u8, headers: &Headers, keep_alive: bool) -> Vec<u8> {
    let mut head = format!("{status_line}\r\n").into_bytes();
    let chunked = headers.is_chunked().unwrap_or_default();
    for header in headers.0 {
        let contradicts_chunks = chunked && header.name.eq_ignore_ascii_case("content-length");
        if !headers.concerns_one_hop(header.name) && !contradicts_chunks {
            write_header(&mut head, header.name, header.value);
        }
    }
    match (status, keep_alive, minor_version) {
        (101, _, _) => head.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
        (100..=199, _, _) => {}
        (_, false, _) => head.extend_from_slice(b"Connection: close\r\n"),
        (_, true, 0) => head.extend_from_slice(b"Connection: keep-alive\r\n"),
        (_, true, _) => {}
    }
    head.extend_from_slice(b"\r\n");
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str, method: &str) -> Result<Response, HeadError> {
        let (response, len) = Response::parse(head.as_bytes(), method, true)?.expect("a complete head");
        assert_eq!(len, head.len());
        Ok(response)
    }

    #[test]
    fn framing_follows_status_method_and_headers() {
        let framing = |head: &str, method| parse(&format!("HTTP/1.1 {head}\r\n\r\n"), method).unwrap().framing;
        assert_eq!(framing("200 OK\r\nContent-Length: 7", "GET"), Framing::Length(7));
        assert_eq!(framing("200 OK\r\nContent-Length: 7", "HEAD"), Framing::Empty);
        assert_eq!(framing("304 Not Modified\r\nContent-Length: 7", "GET"), Framing::Empty);
        assert_eq!(framing("204 No Content", "GET"), Framing::Empty);
        assert_eq!(framing("200 OK", "GET"), Framing::UntilClose);
        assert_eq!(framing("200 OK\r\nContent-Length: 7\r\nTransfer-Encoding: chunked", "GET"), Framing::Chunked);
    }

    #[test]
    fn the_client_is_told_when_the_connection_ends() {
        let response = parse("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\n\r\n", "GET").unwrap();
        assert_eq!(response.outgoing, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        assert!(!response.keep_alive);
        let response = parse("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "GET").unwrap();
        assert!(!response.keep_alive);
    }

    #[test]
    fn event_streams_are_known_by_their_type() {
        let streams =
            |headers: &str| parse(&format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n"), "GET").unwrap().is_event_stream();
        assert!(streams("Content-Type: Text/Event-Stream; charset=utf-8"));
        assert!(!streams("Content-Type: text/plain"));
        assert!(!streams("Content-Type: text/event-stream\r\nContent-Encoding: gzip"));
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n";
        assert!(parse(head, "GET").unwrap().is_endless());
    }

    #[test]
    fn responses_of_doubtful_length_are_refused() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n";
        assert_eq!(parse(head, "GET").unwrap_err(), HeadError::AmbiguousBody);
    }
}
