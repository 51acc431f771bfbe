//! WebSocket frames (RFC 6455, section 5). Frames are never rewritten, so masking matters only for previews.

use super::super::ping;
use super::super::preview::preview;
use super::super::view::MessageKind;
use super::{Malformed, Part, Piece, Splitter};

/// Frames up to this size become one piece; larger ones are passed on as they come in.
const WHOLE: u64 = 64 * 1024;

/// Splits one direction of a WebSocket. Not yet complete frames and messages are remembered between calls.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    message: Option<MessageKind>,
    large: Option<Large>,
}

/// A frame that is passed on while it arrives.
#[derive(Debug)]
struct Large {
    remaining: u64,
    last_of_message: bool,
    kind: MessageKind,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    fin: bool,
    opcode: u8,
    mask: Option<[u8; 4]>,
    len: usize,
    payload: u64,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Option<Header>, Malformed> {
        let [first, second, rest @ ..] = bytes else {
            return Ok(None);
        };
        let extended: usize = match second & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let masked = second & 0x80 != 0;
        let after_length = extended + if masked { 4 } else { 0 };
        let Some(rest) = rest.get(..after_length) else {
            return Ok(None);
        };
        let (length, key) = rest.split_at(extended);
        let payload = match extended {
            0 => u64::from(second & 0x7f),
            _ => length.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        if payload > i64::MAX as u64 {
            return Err(Malformed::ImpossibleLength);
        }
        Ok(Some(Header {
            fin: first & 0x80 != 0,
            opcode: first & 0x0f,
            mask: key.try_into().ok(),
            len: 2 + after_length,
            payload,
        }))
    }

    fn is_control(&self) -> bool {
        self.opcode & 0x8 != 0
    }
}

impl Frames {
    fn start(&mut self, header: Header, buffered: &[u8]) -> Result<Option<Piece>, Malformed> {
        let available = (buffered.len() - header.len) as u64;
        if header.is_control() && (!header.fin || header.payload > 125) {
            return Err(Malformed::BadControlFrame);
        }
        if available < header.payload && header.payload <= WHOLE {
            return Ok(None);
        }
        let present = available.min(header.payload) as usize;
        let len = header.len + present;
        let part = match header.opcode {
            0x8 => Part::Message { opens: true, closes: true, kind: MessageKind::Close, boundary: true },
            0x9 => Part::Control,
            0xa => match ping::number(&buffered[header.len..len]) {
                Some(number) if header.mask.is_none() => Part::Pong(number),
                _ => Part::Control,
            },
            _ => self.data(&header, header.payload - present as u64)?,
        };
        Ok(Some(Piece { len, part }))
    }

    fn data(&mut self, header: &Header, remaining: u64) -> Result<Part, Malformed> {
        let (opens, kind) = match (header.opcode, self.message) {
            (0x0, Some(kind)) => (false, kind),
            (0x0, None) => return Err(Malformed::NothingToContinue),
            (0x1 | 0x2, Some(_)) => return Err(Malformed::UnfinishedMessage),
            (0x1, None) => (true, MessageKind::Text),
            (0x2, None) => (true, MessageKind::Binary),
            (opcode, _) => return Err(Malformed::ReservedOpcode(opcode)),
        };
        self.message = (!header.fin).then_some(kind);
        if remaining > 0 {
            self.large = Some(Large { remaining, last_of_message: header.fin, kind });
        }
        Ok(Part::Message { opens, closes: header.fin && remaining == 0, kind, boundary: remaining == 0 })
    }
}

impl Large {
    fn advance(&mut self, available: usize) -> Piece {
        let len = self.remaining.min(available as u64);
        self.remaining -= len;
        let over = self.remaining == 0;
        let part =
            Part::Message { opens: false, closes: over && self.last_of_message, kind: self.kind, boundary: over };
        Piece { len: len as usize, part }
    }
}

impl Splitter for Frames {
    fn next(&mut self, buffered: &[u8]) -> Result<Option<Piece>, Malformed> {
        if let Some(large) = &mut self.large {
            if buffered.is_empty() {
                return Ok(None);
            }
            let piece = large.advance(buffered.len());
            if large.remaining == 0 {
                self.large = None;
            }
            return Ok(Some(piece));
        }
        // Known to be wrong by the first byte: do not wait for more.
        if let Some(opcode @ (0x3..=0x7 | 0xb..=0xf)) = buffered.first().map(|byte| byte & 0x0f) {
            return Err(Malformed::ReservedOpcode(opcode));
        }
        match Header::parse(buffered)? {
            Some(header) => self.start(header, buffered),
            None => Ok(None),
        }
    }

    fn at_eof(&mut self) -> Result<Option<Piece>, Malformed> {
        // Abrupt ends are part of a WebSocket's life; the receiver sees the same.
        Ok(None)
    }

    fn is_finished(&self) -> bool {
        false
    }

    fn preview(&self, message: &[u8]) -> String {
        preview(&payload(message))
    }
}

/// The beginning of the unmasked payload of a message, as much as a preview needs.
fn payload(frames: &[u8]) -> Vec<u8> {
    const ENOUGH: usize = 1024;
    let mut payload = Vec::new();
    Payload::default().follow(frames, |seen| {
        if let SeenFrame::Content(content) = seen {
            let room = ENOUGH.saturating_sub(payload.len());
            payload.extend_from_slice(&content[..content.len().min(room)]);
        }
    });
    payload
}

/// Follows the data and close frames of one direction and takes their masks off. Bytes may be cut anywhere but in a
/// frame's header.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    remaining: u64,
    mask: Option<[u8; 4]>,
    /// Bytes of this frame that were unmasked before.
    position: usize,
}

/// What [`Payload`] finds.
#[derive(Debug)]
pub(crate) enum SeenFrame<'b> {
    /// A frame begins; continuations have opcode 0.
    Opcode(u8),
    Content(&'b [u8]),
}

impl Payload {
    pub fn follow(&mut self, mut bytes: &[u8], mut see: impl FnMut(SeenFrame)) {
        loop {
            if self.remaining > 0 {
                let len = self.remaining.min(bytes.len() as u64) as usize;
                let (content, rest) = bytes.split_at(len);
                self.unmask(content, &mut see);
                self.remaining -= len as u64;
                bytes = rest;
            }
            match Header::parse(bytes) {
                Ok(Some(header)) if self.remaining == 0 => {
                    see(SeenFrame::Opcode(header.opcode));
                    *self = Payload { remaining: header.payload, mask: header.mask, position: 0 };
                    bytes = &bytes[header.len..];
                }
                _ => return,
            }
        }
    }

    fn unmask(&mut self, content: &[u8], see: &mut impl FnMut(SeenFrame)) {
        match self.mask {
            None => see(SeenFrame::Content(content)),
            Some(key) => {
                let key = key.iter().cycle().skip(self.position % 4);
                let unmasked: Vec<u8> = content.iter().zip(key).map(|(byte, key)| byte ^ key).collect();
                see(SeenFrame::Content(&unmasked));
            }
        }
        self.position += content.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: MessageKind = MessageKind::Text;

    fn part(opens: bool, closes: bool, kind: MessageKind, boundary: bool) -> Part {
        Part::Message { opens, closes, kind, boundary }
    }

    fn next(frames: &mut Frames, bytes: &[u8]) -> (usize, Part) {
        let piece = frames.next(bytes).unwrap().unwrap();
        (piece.len, piece.part)
    }

    #[test]
    fn control_frames_may_stand_between_fragments() {
        let mut frames = Frames::default();
        assert_eq!(next(&mut frames, b"\x01\x01a\x89\x00"), (3, part(true, false, TEXT, true)));
        assert_eq!(next(&mut frames, b"\x89\x00\x80"), (2, Part::Control));
        assert_eq!(next(&mut frames, b"\x80\x01b"), (3, part(false, true, TEXT, true)));
        assert_eq!(next(&mut frames, b"\x88\x02\x03\xe8"), (4, part(true, true, MessageKind::Close, true)));
    }

    #[test]
    fn a_large_frame_is_passed_on_while_it_arrives() {
        let mut frames = Frames::default();
        let header = b"\x82\x7f\0\0\0\0\0\x02\0\0";
        let mut bytes = header.to_vec();
        bytes.extend([7; 5]);
        assert_eq!(next(&mut frames, &bytes), (15, part(true, false, MessageKind::Binary, false)));
        assert_eq!(frames.next(b"").unwrap(), None);
        let rest = vec![7; 0x20000 - 5 + 3];
        assert_eq!(next(&mut frames, &rest), (0x20000 - 5, part(false, true, MessageKind::Binary, true)));
    }

    #[test]
    fn incomplete_headers_and_small_frames_wait() {
        let whole = b"\x81\xfe\x00\x7e\x01\x02\x03\x04".to_vec();
        for end in 0..whole.len() {
            assert_eq!(Frames::default().next(&whole[..end]).unwrap(), None);
        }
        assert_eq!(Frames::default().next(&whole).unwrap(), None);
    }

    #[test]
    fn garbage_is_named() {
        let refuse = |bytes: &[u8]| Frames::default().next(bytes).unwrap_err();
        assert_eq!(refuse(b"\x80\x00"), Malformed::NothingToContinue);
        assert_eq!(refuse(b"\x83"), Malformed::ReservedOpcode(3));
        assert_eq!(refuse(b"\x09\x00"), Malformed::BadControlFrame);
        assert_eq!(refuse(b"\x89\x7e\x00\x7e"), Malformed::BadControlFrame);
        assert_eq!(refuse(b"\x82\x7f\x80\0\0\0\0\0\0\0"), Malformed::ImpossibleLength);
        let mut frames = Frames::default();
        frames.next(b"\x01\x00").unwrap();
        assert_eq!(frames.next(b"\x81\x00").unwrap_err(), Malformed::UnfinishedMessage);
    }

    #[test]
    fn previews_show_what_was_masked() {
        let message = b"\x01\x82\x01\x01\x01\x01\x69\x68\x80\x01!";
        assert_eq!(Frames::default().preview(message), "hi!");
        assert_eq!(Frames::default().preview(b"\x81\x05cut"), "cut");
    }
}
