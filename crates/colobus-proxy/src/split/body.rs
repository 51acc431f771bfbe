//! Bodies of HTTP messages (RFC 9112, section 6): [`Body`] finds their end, [`HttpMessage`] is the splitter of a request
//! or response that is sent as one message, head and body together.

use super::super::preview::preview;
use super::super::view::MessageKind;
use super::{Malformed, Part, Piece, Splitter};

/// A size line is a number and rarely an extension; a trailer is a header. Neither is ever this long.
const LONGEST_LINE: usize = 8 * 1024;

/// How the end of a body is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Empty,
    Length(u64),
    Chunked,
    UntilClose,
}

/// Follows a body to its end.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Remaining(u64),
    UntilClose,
    ChunkSize,
    ChunkData(u64),
    ChunkEnd,
    Trailer,
    Done,
}

/// So many bytes of a body: content, or the framing around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub len: usize,
    pub content: bool,
}

impl Body {
    pub fn new(framing: Framing) -> Body {
        let state = match framing {
            Framing::Empty | Framing::Length(0) => State::Done,
            Framing::Length(length) => State::Remaining(length),
            Framing::Chunked => State::ChunkSize,
            Framing::UntilClose => State::UntilClose,
        };
        Body { state }
    }

    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// The next span of the body, or `None` when it is over or needs more bytes.
    pub fn next(&mut self, buffered: &[u8]) -> Result<Option<Span>, Malformed> {
        if buffered.is_empty() || self.is_done() {
            return Ok(None);
        }
        let span = |len, content| Ok(Some(Span { len, content }));
        match &mut self.state {
            State::UntilClose => span(buffered.len(), true),
            State::Remaining(remaining) | State::ChunkData(remaining) => {
                let len = (*remaining).min(buffered.len() as u64);
                *remaining -= len;
                if *remaining == 0 {
                    self.state = match self.state {
                        State::ChunkData(_) => State::ChunkEnd,
                        _ => State::Done,
                    };
                }
                span(len as usize, true)
            }
            State::ChunkSize => {
                let Some(line) = line(buffered)? else {
                    return Ok(None);
                };
                self.state = match chunk_size(&buffered[..line])? {
                    0 => State::Trailer,
                    size => State::ChunkData(size),
                };
                span(line, false)
            }
            State::ChunkEnd => match buffered {
                [b'\r', b'\n', ..] => {
                    self.state = State::ChunkSize;
                    span(2, false)
                }
                [b'\r'] => Ok(None),
                _ => Err(Malformed::BadChunk),
            },
            State::Trailer => {
                let Some(line) = line(buffered)? else {
                    return Ok(None);
                };
                if matches!(&buffered[..line], b"\r\n" | b"\n") {
                    self.state = State::Done;
                }
                span(line, false)
            }
            State::Done => Ok(None),
        }
    }

    /// The sender closed. An error unless that is how this body ends, or it was over before.
    pub fn at_eof(&mut self) -> Result<(), Malformed> {
        match self.state {
            State::UntilClose | State::Done => {
                self.state = State::Done;
                Ok(())
            }
            _ => Err(Malformed::Truncated),
        }
    }
}

/// The length of the line at the beginning, its end included.
fn line(buffered: &[u8]) -> Result<Option<usize>, Malformed> {
    let searched = &buffered[..buffered.len().min(LONGEST_LINE)];
    match searched.iter().position(|byte| *byte == b'\n') {
        Some(end) => Ok(Some(end + 1)),
        None if buffered.len() >= LONGEST_LINE => Err(Malformed::BadChunk),
        None => Ok(None),
    }
}

fn chunk_size(line: &[u8]) -> Result<u64, Malformed> {
    let text = std::str::from_utf8(line).map_err(|_| Malformed::BadChunk)?;
    let digits = text.split(';').next().unwrap_or_default().trim();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Malformed::BadChunk);
    }
    u64::from_str_radix(digits, 16).map_err(|_| Malformed::BadChunk)
}

/// A request or response as one message. The buffer begins with its (rewritten) head.
#[derive(Debug)]
pub(crate) struct HttpMessage {
    kind: MessageKind,
    summary: String,
    framing: Framing,
    head: usize,
    head_is_out: bool,
    body: Body,
}

impl HttpMessage {
    /// `head` is the length of the head at the front of the buffer, `summary` what a preview shows instead of it.
    pub fn new(kind: MessageKind, summary: String, head: usize, framing: Framing) -> HttpMessage {
        let body = Body::new(framing);
        HttpMessage { kind, summary, framing, head, head_is_out: false, body }
    }

    fn piece(&self, len: usize, opens: bool) -> Piece {
        let closes = self.body.is_done();
        let part = Part::Message { opens, closes, kind: self.kind, boundary: closes };
        Piece { len, part }
    }
}

impl Splitter for HttpMessage {
    fn next(&mut self, buffered: &[u8]) -> Result<Option<Piece>, Malformed> {
        if !self.head_is_out {
            self.head_is_out = true;
            return Ok(Some(self.piece(self.head, true)));
        }
        let span = self.body.next(buffered)?;
        Ok(span.map(|span| self.piece(span.len, false)))
    }

    fn at_eof(&mut self) -> Result<Option<Piece>, Malformed> {
        if self.is_finished() {
            // A client that closes after its request no longer waits for the response; a server may close after its response.
            return match self.kind {
                MessageKind::Request => Err(Malformed::Truncated),
                _ => Ok(None),
            };
        }
        self.body.at_eof()?;
        Ok(Some(self.piece(0, false)))
    }

    fn is_finished(&self) -> bool {
        self.head_is_out && self.body.is_done()
    }

    fn wants_input(&self) -> bool {
        !self.is_finished() || self.kind == MessageKind::Request
    }

    fn preview(&self, message: &[u8]) -> String {
        let content = content(self.framing, message.get(self.head..).unwrap_or_default(), 1024);
        match content.is_empty() {
            true => self.summary.clone(),
            false => format!("{} {}", self.summary, preview(&content)),
        }
    }
}

/// The beginning of a body without its framing.
fn content(framing: Framing, mut bytes: &[u8], enough: usize) -> Vec<u8> {
    let mut body = Body::new(framing);
    let mut content = Vec::new();
    while let Ok(Some(span)) = body.next(bytes) {
        if span.content {
            content.extend_from_slice(&bytes[..span.len.min(enough)]);
        }
        if content.len() >= enough {
            break;
        }
        bytes = &bytes[span.len..];
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the bytes one by one, as the least friendly network would; returns what of them was content and where the
    /// body ended.
    fn follow(framing: Framing, bytes: &[u8]) -> Result<(Vec<u8>, usize), Malformed> {
        let mut body = Body::new(framing);
        let (mut from, mut content) = (0, Vec::new());
        for end in 0..=bytes.len() {
            while let Some(span) = body.next(&bytes[from..end])? {
                if span.content {
                    content.extend_from_slice(&bytes[from..from + span.len]);
                }
                from += span.len;
            }
        }
        assert!(body.is_done());
        Ok((content, from))
    }

    #[test]
    fn bodies_end_where_they_say() {
        let ended = |content: &[u8], at| Ok((content.to_vec(), at));
        assert_eq!(follow(Framing::Empty, b"next"), ended(b"", 0));
        assert_eq!(follow(Framing::Length(3), b"abcnext"), ended(b"abc", 3));
        let chunked = b"3;x=y\r\nabc\r\n0A\r\n0123456789\r\n0\r\nT: v\r\n\r\nnext";
        let at = chunked.len() - 4;
        assert_eq!(follow(Framing::Chunked, chunked), ended(b"abc0123456789", at));
    }

    #[test]
    fn bad_chunks_are_refused() {
        for bytes in [&b"\r\n"[..], b"x\r\n", b"-1\r\n", b"1\r\nabc", b"11111111111111111\r\n"] {
            assert_eq!(follow(Framing::Chunked, bytes), Err(Malformed::BadChunk), "{bytes:?}");
        }
        assert_eq!(follow(Framing::Chunked, &vec![b'1'; LONGEST_LINE]), Err(Malformed::BadChunk));
    }

    #[test]
    fn closing_ends_only_a_body_that_runs_until_it() {
        assert_eq!(Body::new(Framing::Length(1)).at_eof(), Err(Malformed::Truncated));
        assert_eq!(Body::new(Framing::Chunked).at_eof(), Err(Malformed::Truncated));
        assert_eq!(Body::new(Framing::UntilClose).at_eof(), Ok(()));
    }
}
