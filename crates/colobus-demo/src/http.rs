//! As much of HTTP/1.1 as the page needs: GET requests, one after another on a connection, and the upgrade.

use std::io::{self, Read, Write};
use std::net::TcpStream;

const LONGEST_HEAD: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    query: String,
    /// The key of a WebSocket handshake, if it is one.
    pub(crate) websocket_key: Option<String>,
    pub(crate) keep_alive: bool,
}

impl Request {
    /// A parameter of the query, as it stands in the address.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// The next request on a connection. `buffer` keeps what was read behind it.
/// `Ok(None)`: the connection ended. An error of kind `InvalidData`: what came is no request.
pub(crate) fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<Option<Request>> {
    loop {
        if let Some((request, length)) = parse(buffer)? {
            buffer.drain(..length);
            return Ok(Some(request));
        }
        if buffer.len() >= LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut chunk = [0; 2048];
        match stream.read(&mut chunk) {
            Ok(0) => return Ok(None),
            Ok(count) => buffer.extend_from_slice(&chunk[..count]),
            // A process that was stopped and goes on: Linux interrupts reads that have a time limit then.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn parse(head: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(head).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let httparse::Status::Complete(length) = status else { return Ok(None) };

    let header = |name: &str| {
        let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let asks_for = |name: &str, token: &str| {
        header(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(token)))
    };
    let target = parsed.path.unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        websocket_key: header("Sec-WebSocket-Key").filter(|_| asks_for("Upgrade", "websocket")).map(str::to_owned),
        keep_alive: parsed.version == Some(1) && !asks_for("Connection", "close") && header("Content-Length").is_none(),
    };
    Ok(Some((request, length)))
}

#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) cache: &'static str,
    pub(crate) body: &'a str,
}

impl Response<'static> {
    pub(crate) fn problem(status: &'static str) -> Response<'static> {
        Response { status, content_type: "text/plain; charset=utf-8", cache: "no-store", body: status }
    }
}

impl Response<'_> {
    pub(crate) fn write(&self, stream: &mut TcpStream, keep_alive: bool) -> io::Result<()> {
        let Response { status, content_type, cache, body } = self;
        let connection = if keep_alive { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nCache-Control: {cache}\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: {connection}\r\n\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
    }
}

pub(crate) fn switch_to_websocket(stream: &mut TcpStream, key: &str) -> io::Result<()> {
    let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}
