//! Heads as plain data, for those who look at traffic or change it. Parsed only when it is needed.

use colobus_har::{Header, Request, Response};

use super::headers::MOST_HEADERS;

/// The head of a request as the server gets it, without a body.
pub(crate) fn plain_request(head: &[u8], url: &str) -> Request {
    let (line, headers) = parts(head);
    let mut words = line.splitn(3, ' ');
    let method = words.next().unwrap_or_default().to_owned();
    let version = words.nth(1).unwrap_or_default().to_owned();
    Request { method, url: url.to_owned(), version, headers, ..Request::default() }
}

/// The head of a response as the client gets it, without a body.
pub(crate) fn plain_response(head: &[u8]) -> Response {
    let (line, headers) = parts(head);
    let mut words = line.splitn(3, ' ');
    let version = words.next().unwrap_or_default().to_owned();
    let status = words.next().and_then(|status| status.parse().ok()).unwrap_or_default();
    let reason = words.next().unwrap_or_default().to_owned();
    Response { status, reason, version, headers, ..Response::default() }
}

/// The first line, and the headers after it.
pub(super) fn parts(head: &[u8]) -> (String, Vec<Header>) {
    let end = head.windows(2).position(|pair| pair == b"\r\n").unwrap_or(head.len());
    let (line, rest) = (String::from_utf8_lossy(&head[..end]).into_owned(), head.get(end + 2..).unwrap_or_default());
    let mut storage = [httparse::EMPTY_HEADER; MOST_HEADERS + 8];
    // The proxy wrote this head itself: it parses.
    let headers = match httparse::parse_headers(rest, &mut storage) {
        Ok(httparse::Status::Complete((_, headers))) => headers,
        _ => &[],
    };
    let header = |header: &httparse::Header| Header::new(header.name, String::from_utf8_lossy(header.value));
    (line, headers.iter().map(header).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_become_data() {
        let request = plain_request(b"POST /p?q HTTP/1.1\r\nHost: h\r\nX: \xff\r\n\r\n", "http://h/p?q");
        assert_eq!((request.method.as_str(), request.version.as_str()), ("POST", "HTTP/1.1"));
        assert_eq!(request.headers, [Header::new("Host", "h"), Header::new("X", "\u{fffd}")]);
        let response = plain_response(b"HTTP/1.0 404 Not Found\r\n\r\n");
        assert_eq!((response.status, response.reason.as_str()), (404, "Not Found"));
        assert_eq!(response.headers, []);
    }
}
