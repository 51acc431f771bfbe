//! Frames and HTTP, mutated: what a peer sends is cut into pieces that are as long as they say, or refused.

use crate::http::{Request, Response};
use crate::split::Splitter;
use crate::split::body::{Body, Framing};
use crate::split::frames::{Frames, Payload};

/// A splitter never promises more bytes than there are, and comes to an end.
fn cut(mut splitter: impl Splitter, mut bytes: &[u8]) {
    while let Ok(Some(piece)) = splitter.next(bytes) {
        assert!(piece.len > 0 && piece.len <= bytes.len(), "{piece:?} of {} bytes", bytes.len());
        let _ = splitter.preview(&bytes[..piece.len]);
        bytes = &bytes[piece.len..];
        if splitter.is_finished() {
            return;
        }
    }
    let _ = splitter.at_eof();
}

#[test]
fn frames() {
    let masked: &[u8] = &[0x81, 0x83, 1, 2, 3, 4, b'a' ^ 1, b'b' ^ 2, b'c' ^ 3, 0x89, 0x00, 0x88, 0x02, 3, 232];
    let parts: &[u8] =
        &[0x01, 0x01, b'a', 0x80, 0x01, b'b', 0x82, 126, 0, 3, 1, 2, 3, 0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 9];
    colobus_mutate::each(&[masked, parts], |input| {
        cut(Frames::default(), input);
        Payload::default().follow(input, |_| {});
    });
}

#[test]
fn messages_of_http() {
    let request: &[u8] = b"POST http://h/a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
    let chunked: &[u8] =
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n";
    colobus_mutate::each(&[request, chunked, b"4;x=y\r\nabcd\r\n0\r\n\r\n"], |input| {
        if let Ok(Some((request, length))) = Request::parse(input) {
            assert!(length <= input.len());
            let _ = request.path().len();
        }
        if let Ok(Some((response, length))) = Response::parse(input, "GET", true) {
            assert!(length <= input.len());
            let _ = (response.summary(), response.is_event_stream(), response.is_endless(), response.is_interim());
        }
        for framing in [Framing::Chunked, Framing::Length(5), Framing::UntilClose] {
            let (mut body, mut rest) = (Body::new(framing), input);
            while let (false, Ok(Some(span))) = (body.is_done(), body.next(rest)) {
                assert!(span.len > 0 && span.len <= rest.len());
                rest = &rest[span.len..];
            }
        }
    });
}
