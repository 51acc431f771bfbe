//! The head of a request, as the client sent it and as the server gets it.

use colobus_model::UrlParts;

use super::super::authority::Authority;
use super::super::split::body::Framing;
use super::headers::{HeadError, Headers, MOST_HEADERS, length_of_head, write_header};

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// `CONNECT host:port`
    Tunnel(Authority),
    /// `GET http://host:port/path`
    Absolute(Authority, String),
    /// `GET /path`, inside a tunnel
    Origin(String),
}

#[derive(Debug)]
pub(crate) struct Request {
    pub method: String,
    pub target: Target,
    /// The head for the server.
    pub outgoing: Vec<u8>,
    pub framing: Framing,
    pub keep_alive: bool,
    pub upgrades_to_websocket: bool,
    /// The page itself asks, to talk to the application; otherwise something is loaded that it consists of.
    pub is_talk: bool,
    /// The client sends the body only after it was asked to.
    pub expects_continue: bool,
    /// What the client shows to use the proxy.
    pub proxy_authorization: Option<String>,
}

impl Request {
    /// Parses the head at the beginning of `buffered`; returns it with its length, or `None` when it is not all there.
    pub fn parse(buffered: &[u8]) -> Result<Option<(Request, usize)>, HeadError> {
        let mut storage = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut storage);
        let Some(len) = length_of_head(parsed.parse(buffered)?, buffered)? else { return Ok(None) };
        let method = parsed.method.unwrap_or_default();
        let minor_version = parsed.version.unwrap_or(1);
        let headers = Headers(parsed.headers);
        let target = target(method, parsed.path.unwrap_or_default())?;
        let upgrades_to_websocket =
            headers.lists("connection", "upgrade") && headers.lists("upgrade", "websocket") && method == "GET";
        let request = Request {
            framing: headers.framing_of_request()?,
            keep_alive: headers.keeps_alive(minor_version),
            expects_continue: headers.lists("expect", "100-continue"),
            outgoing: rewrite(method, &target, minor_version, &headers, upgrades_to_websocket),
            proxy_authorization: headers.value("proxy-authorization").map(str::to_owned),
            method: method.to_owned(),
            target,
            upgrades_to_websocket,
            is_talk: upgrades_to_websocket || headers.lists("sec-fetch-dest", "empty"),
        };
        Ok(Some((request, len)))
    }

    pub fn path(&self) -> &str {
        match &self.target {
            Target::Tunnel(_) => "",
            Target::Absolute(_, path) | Target::Origin(path) => path,
        }
    }
}

fn target(method: &str, text: &str) -> Result<Target, HeadError> {
    let bad = || HeadError::BadTarget(text.chars().take(200).collect());
    if method == "CONNECT" {
        return Authority::parse(text, None).map(Target::Tunnel).ok_or_else(bad);
    }
    if text.starts_with('/') || text == "*" {
        return Ok(Target::Origin(text.to_owned()));
    }
    let UrlParts { scheme, authority, rest: path, .. } = UrlParts::of(text).ok_or_else(bad)?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("ws") {
        return Err(bad());
    }
    let authority = Authority::parse(authority, Some(80)).ok_or_else(bad)?;
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    Ok(Target::Absolute(authority, path))
}

fn rewrite(method: &str, target: &Target, minor_version: u8, headers: &Headers, upgrade: bool) -> Vec<u8> {
    let (path, host) = match target {
        Target::Tunnel(_) => return Vec::new(),
        Target::Absolute(authority, path) => (path, Some(host_header(authority))),
        Target::Origin(path) => (path, None),
    };
    // Compressed event streams cannot be cut at their events.
    let wants_events = headers.values("accept").any(|value| value.contains("text/event-stream"));
    let mut head = format!("{method} {path} HTTP/1.{minor_version}\r\n").into_bytes();
    if let Some(host) = &host {
        write_header(&mut head, "Host", host.as_bytes());
    }
    for header in headers.0 {
        let is = |name: &str| header.name.eq_ignore_ascii_case(name);
        let dropped = headers.concerns_one_hop(header.name)
            || (host.is_some() && is("host"))
            // Without extensions frames stay uncompressed, and readable.
            || (upgrade && is("sec-websocket-extensions"))
            || (wants_events && is("accept-encoding"));
        if !dropped {
            write_header(&mut head, header.name, header.value);
        }
    }
    match (upgrade, headers.keeps_alive(minor_version), minor_version) {
        (true, _, _) => head.extend_from_slice(b"Connection: Upgrade\r\nUpgrade: websocket\r\n"),
        (false, false, _) => head.extend_from_slice(b"Connection: close\r\n"),
        (false, true, 0) => head.extend_from_slice(b"Connection: keep-alive\r\n"),
        (false, true, _) => {}
    }
    head.extend_from_slice(b"\r\n");
    head
}

fn host_header(authority: &Authority) -> String {
    match authority.port {
        80 => authority.host.to_string(),
        _ => authority.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Result<Request, HeadError> {
        let (request, len) = Request::parse(head.as_bytes())?.expect("a complete head");
        assert_eq!(len, head.len());
        Ok(request)
    }

    #[test]
    fn absolute_form_becomes_origin_form_without_headers_of_one_hop() {
        let request = parse(
            "POST http://app.localhost:3000?q=1 HTTP/1.1\r\nHost: elsewhere\r\nProxy-Connection: keep-alive\r\n\
             X-Odd: 1\r\nConnection: x-odd\r\nContent-Length: 4\r\nCookie: a=b\r\n\r\n",
        )
        .unwrap();
        assert_eq!(
            String::from_utf8(request.outgoing).unwrap(),
            "POST /?q=1 HTTP/1.1\r\nHost: app.localhost:3000\r\nContent-Length: 4\r\nCookie: a=b\r\n\r\n"
        );
        assert_eq!(request.framing, Framing::Length(4));
        assert!(request.keep_alive);
    }

    #[test]
    fn websocket_handshakes_lose_their_extensions_only() {
        let request = parse(
            "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\
             Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Key: k\r\n\r\n",
        )
        .unwrap();
        assert!(request.upgrades_to_websocket);
        assert_eq!(
            String::from_utf8(request.outgoing).unwrap(),
            "GET /ws HTTP/1.1\r\nHost: h\r\nSec-WebSocket-Key: k\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        );
    }

    #[test]
    fn event_streams_are_asked_for_uncompressed() {
        let request =
            parse("GET /e HTTP/1.1\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
                .unwrap();
        let outgoing = String::from_utf8(request.outgoing).unwrap();
        assert!(!outgoing.contains("gzip"));
        assert!(outgoing.ends_with("Connection: close\r\n\r\n"));
    }

    #[test]
    fn targets_that_could_mislead_are_refused() {
        for line in [
            "GET http://good@evil/ HTTP/1.1",
            "GET http://good:80@evil:80/ HTTP/1.1",
            "GET https://h/ HTTP/1.1",
            "GET file:///etc/passwd HTTP/1.1",
            "CONNECT h HTTP/1.1",
            "CONNECT a@h:1 HTTP/1.1",
            "GET evil HTTP/1.1",
        ] {
            assert!(matches!(parse(&format!("{line}\r\n\r\n")), Err(HeadError::BadTarget(_))), "{line}");
        }
    }

    #[test]
    fn bodies_of_doubtful_length_are_refused() {
        for headers in [
            "Content-Length: 1\r\nContent-Length: 2",
            "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Content-Length: +1",
            "Content-Length: 1, 1",
        ] {
            assert_eq!(parse(&format!("POST /p HTTP/1.1\r\n{headers}\r\n\r\n")).unwrap_err(), HeadError::AmbiguousBody);
        }
    }

    #[test]
    fn heads_without_end_are_cut_off() {
        assert!(Request::parse(b"GET /").unwrap().is_none());
        let endless = format!("GET /{} ", "a".repeat(crate::http::LONGEST_HEAD));
        assert_eq!(Request::parse(endless.as_bytes()).unwrap_err(), HeadError::TooLong);
    }
}
