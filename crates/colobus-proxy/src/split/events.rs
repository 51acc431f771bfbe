//! Server-sent events: a body of `text/event-stream`, cut after each blank line. The framing of the body is taken off and
//! left to the pump to write anew, because chunks need not end where events do.

use super::super::preview::preview;
use super::super::view::MessageKind;
use super::body::{Body, Framing};
use super::{Malformed, Part, Piece, Splitter};

#[derive(Debug)]
pub(crate) struct Events {
    body: Body,
    /// Content bytes at the front of the buffer that the body has announced and no piece has taken.
    announced: usize,
    blank: BlankLine,
    in_event: bool,
}

impl Events {
    pub fn new(framing: Framing) -> Events {
        Events { body: Body::new(framing), announced: 0, blank: BlankLine::default(), in_event: false }
    }

    fn content(&mut self, bytes: &[u8]) -> Piece {
        let (len, closes) = match self.blank.find(bytes) {
            Some(end) => (end, true),
            None => (bytes.len(), false),
        };
        self.announced -= len;
        self.event(len, closes)
    }

    fn event(&mut self, len: usize, closes: bool) -> Piece {
        let opens = !self.in_event;
        self.in_event = !closes;
        let part = Part::Message { opens, closes, kind: MessageKind::StreamEvent, boundary: closes };
        Piece { len, part }
    }
}

impl Splitter for Events {
    fn next(&mut self, buffered: &[u8]) -> Result<Option<Piece>, Malformed> {
        if self.announced == 0 {
            match self.body.next(buffered)? {
                None => return Ok(None),
                Some(span) if span.content => self.announced = span.len,
                Some(span) => {
                    let part = Part::Framing;
                    return Ok(Some(Piece { len: span.len, part }));
                }
            }
        }
        Ok(Some(self.content(&buffered[..self.announced])))
    }

    fn at_eof(&mut self) -> Result<Option<Piece>, Malformed> {
        self.body.at_eof()?;
        Ok(self.in_event.then(|| self.event(0, true)))
    }

    fn is_finished(&self) -> bool {
        self.body.is_done() && self.announced == 0
    }

    fn preview(&self, message: &[u8]) -> String {
        preview(message.trim_ascii())
    }
}

/// Looks for the empty line that ends an event; lines end with CR, LF or CRLF, and the bytes may be cut anywhere.
#[derive(Debug, Default)]
struct BlankLine {
    line_has_text: bool,
    /// Further blank lines after an event are not events of their own.
    event_has_text: bool,
    after_cr: bool,
}

impl BlankLine {
    /// The index behind the first blank line in `bytes`.
    fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        for (index, byte) in bytes.iter().enumerate() {
            let completes_crlf = *byte == b'\n' && self.after_cr;
            self.after_cr = *byte == b'\r';
            if completes_crlf {
                continue;
            }
            let ends_line = matches!(byte, b'\r' | b'\n');
            let blank = ends_line && !self.line_has_text && self.event_has_text;
            self.line_has_text = !ends_line;
            self.event_has_text = (self.event_has_text || !ends_line) && !blank;
            if blank {
                let mut end = index + 1;
                if self.after_cr && bytes.get(end) == Some(&b'\n') {
                    self.after_cr = false;
                    end += 1;
                }
                return Some(end);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events that come out when the bytes arrive in segments of this size.
    fn events(framing: Framing, bytes: &[u8], segment: usize) -> Vec<String> {
        let mut splitter = Events::new(framing);
        let (mut buffer, mut event, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for part in bytes.chunks(segment) {
            buffer.extend_from_slice(part);
            while let Some(piece) = splitter.next(&buffer).unwrap() {
                let taken: Vec<u8> = buffer.drain(..piece.len).collect();
                if let Part::Message { closes, .. } = piece.part {
                    event.extend(taken);
                    if closes {
                        events.push(String::from_utf8(std::mem::take(&mut event)).unwrap());
                    }
                }
            }
        }
        events
    }

    #[test]
    fn events_end_with_a_blank_line_of_any_kind() {
        let stream = b"data: 1\n\nid: 2\ndata: 2\r\n\r\ndata: 3\r\r\n\n:comment\n\n";
        let expected = ["data: 1\n\n", "id: 2\ndata: 2\r\n\r\n", "data: 3\r\r\n", "\n:comment\n\n"];
        assert_eq!(events(Framing::UntilClose, stream, stream.len()), expected, "in one segment");
        let whole: String = expected.concat();
        for segment in 1..stream.len() {
            let cut = events(Framing::UntilClose, stream, segment);
            assert_eq!(cut.len(), 4, "segments of {segment}");
            assert_eq!(cut.concat(), whole);
        }
    }

    #[test]
    fn chunks_need_not_end_where_events_do() {
        let stream = b"5\r\ndata:\r\n6\r\n 1\n\nda\r\n7\r\nta: 2\n\n\r\n0\r\n\r\n";
        for segment in 1..=stream.len() {
            assert_eq!(events(Framing::Chunked, stream, segment), ["data: 1\n\n", "data: 2\n\n"]);
        }
    }
}
