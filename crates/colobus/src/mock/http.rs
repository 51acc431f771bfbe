//! As much of HTTP/1.1 as browsers and their scripts use: requests with bodies, one after another on a connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use colobus_learn::mock::Reply;
use colobus_model::UrlParts;

const LONGEST_HEAD: usize = 64 * 1024;
const LONGEST_BODY: usize = 64 * 1024 * 1024;
const MOST_HEADERS: usize = 128;

/// A whole request.
pub(super) struct Incoming {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub keep_alive: bool,
}

pub(super) enum ReadError {
    /// What came is no request; the status says why.
    Refused(u16),
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

impl Incoming {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn has_token(&self, name: &str, token: &str) -> bool {
        self.header(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(token)))
    }
}

/// The next request; `buffer` keeps what was read behind it. `None`: the connection ended.
pub(super) fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Option<Incoming>, ReadError> {
    let (mut incoming, length) = loop {
        if let Some(found) = parse_head(buffer)? {
            break found;
        }
        if buffer.len() > LONGEST_HEAD {
            return Err(ReadError::Refused(431));
        }
        if fill(stream, buffer)? == 0 {
            return Ok(None);
        }
    };
    buffer.drain(..length);
    if incoming.has_token("expect", "100-continue") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    if incoming.has_token("transfer-encoding", "chunked") {
        incoming.body = read_chunks(stream, buffer)?;
    } else if let Some(length) = incoming.header("content-length") {
        let length = length.trim().parse::<usize>().map_err(|_| ReadError::Refused(400))?;
        incoming.body = take(stream, buffer, length)?;
    }
    Ok(Some(incoming))
}

fn fill(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let mut chunk = [0; 8192];
    let count = stream.read(&mut chunk)?;
    buffer.extend_from_slice(&chunk[..count]);
    Ok(count)
}

fn parse_head(buffer: &[u8]) -> Result<Option<(Incoming, usize)>, ReadError> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(buffer).map_err(|_| ReadError::Refused(400))?;
    let httparse::Status::Complete(length) = status else { return Ok(None) };
    let pair =
        |header: &httparse::Header<'_>| (header.name.to_string(), String::from_utf8_lossy(header.value).into_owned());
    let mut incoming = Incoming {
        method: parsed.method.unwrap_or_default().to_string(),
        target: parsed.path.unwrap_or("/").to_string(),
        headers: parsed.headers.iter().map(pair).collect(),
        body: Vec::new(),
        keep_alive: false,
    };
    incoming.keep_alive = match parsed.version {
        Some(1) => !incoming.has_token("connection", "close"),
        _ => incoming.has_token("connection", "keep-alive"),
    };
    Ok(Some((incoming, length)))
}

/// The next bytes of a connection.
fn take(stream: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> Result<Vec<u8>, ReadError> {
    if length > LONGEST_BODY {
        return Err(ReadError::Refused(413));
    }
    while buffer.len() < length {
        if fill(stream, buffer)? == 0 {
            return Err(ReadError::Refused(400));
        }
    }
    Ok(buffer.drain(..length).collect())
}

fn read_chunks(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<Vec<u8>, ReadError> {
    let mut body = Vec::new();
    loop {
        let line = read_line(stream, buffer)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| ReadError::Refused(400))?;
        if body.len().saturating_add(size) > LONGEST_BODY {
            return Err(ReadError::Refused(413));
        }
        if size == 0 {
            // Trailers end with an empty line.
            while !read_line(stream, buffer)?.is_empty() {}
            return Ok(body);
        }
        body.extend(take(stream, buffer, size)?);
        read_line(stream, buffer)?;
    }
}

fn read_line(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Result<String, ReadError> {
    loop {
        if let Some(end) = buffer.windows(2).position(|pair| pair == b"\r\n") {
            let line = String::from_utf8_lossy(&buffer[..end]).into_owned();
            buffer.drain(..end + 2);
            return Ok(line);
        }
        if buffer.len() > LONGEST_HEAD || fill(stream, buffer)? == 0 {
            return Err(ReadError::Refused(400));
        }
    }
}

/// The answer to a question of the browser whether a page of another origin may ask.
pub(super) fn preflight(incoming: &Incoming) -> Option<Reply> {
    let asks = incoming.method == "OPTIONS" && incoming.header("access-control-request-method").is_some();
    (asks && local_origin(incoming).is_some()).then(|| super::empty(204))
}

/// The origin of the page, if it is on this machine. Others have no business with a mock.
pub(super) fn local_origin(incoming: &Incoming) -> Option<&str> {
    let origin = incoming.header("origin")?;
    let name = UrlParts::of(origin)?.host();
    let loopback = ["localhost", "127.0.0.1", "[::1]"].contains(&name) || name.ends_with(".localhost");
    // Browsers send origins of visible ASCII only.
    (loopback && origin.bytes().all(|byte| byte.is_ascii_graphic())).then_some(origin)
}

pub(super) fn write(stream: &mut TcpStream, incoming: &Incoming, reply: &Reply) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status));
    if let Some(content_type) =
        reply.content_type.as_deref().filter(|text| text.bytes().all(|byte| (32..127).contains(&byte)))
    {
        head.push_str(&format!("Content-Type: {content_type}\r\n"));
    }
    if let Some(origin) = local_origin(incoming) {
        let wanted = |name: &str| incoming.header(name).unwrap_or("*").to_string();
        head.push_str(&format!(
            "Access-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Credentials: true\r\nVary: Origin\r\n\
             Access-Control-Allow-Methods: {}\r\nAccess-Control-Allow-Headers: {}\r\n",
            wanted("access-control-request-method"),
            wanted("access-control-request-headers"),
        ));
    }
    if !matches!(reply.status, 204 | 304) {
        head.push_str(&format!("Content-Length: {}\r\n", reply.body.len()));
    }
    let connection = if incoming.keep_alive { "keep-alive" } else { "close" };
    head.push_str(&format!("Cache-Control: no-store\r\nConnection: {connection}\r\n\r\n"));
    let mut message = head.into_bytes();
    if incoming.method != "HEAD" && !matches!(reply.status, 204 | 304) {
        message.extend_from_slice(&reply.body);
    }
    stream.write_all(&message)
}

pub(super) fn write_refusal(stream: &mut TcpStream, status: u16) -> io::Result<()> {
    let reason = reason(status);
    let head = format!("HTTP/1.1 {status} {reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
