//! Bodies collected whole, for those who change or answer them. The bytes stay where they are; the pump moves them.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::split::body::{Body, Framing};

/// A body that is in the inbox.
#[derive(Debug)]
pub(super) struct Whole {
    /// Its content, still encoded.
    pub raw: Vec<u8>,
    /// Where it ends in the inbox, its framing included.
    pub end: usize,
}

#[derive(Debug)]
pub(super) enum Collected {
    Whole(Whole),
    /// More than the limit; what came so far is in the inbox.
    TooLarge,
    /// The sender broke off, or its framing is malformed: the pump meets the same end.
    Broken,
}

/// Reads until the body that begins at `start` is in the inbox.
pub(super) async fn collect(
    mut from: impl AsyncRead + Unpin,
    inbox: &mut BytesMut,
    start: usize,
    framing: Framing,
    limit: usize,
) -> io::Result<Collected> {
    let mut body = Body::new(framing);
    let mut whole = Whole { raw: Vec::new(), end: start };
    loop {
        loop {
            match body.next(&inbox[whole.end..]) {
                Ok(Some(span)) => {
                    let bytes = &inbox[whole.end..whole.end + span.len];
                    whole.raw.extend_from_slice(if span.content { bytes } else { &[] });
                    whole.end += span.len;
                }
                Ok(None) => break,
                Err(_) => return Ok(Collected::Broken),
            }
            if whole.raw.len() > limit {
                return Ok(Collected::TooLarge);
            }
        }
        if body.is_done() {
            return Ok(Collected::Whole(whole));
        }
        if from.read_buf(inbox).await? == 0 {
            return Ok(match body.at_eof() {
                Ok(()) => Collected::Whole(whole),
                Err(_) => Collected::Broken,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn collected(framing: Framing, there: &[u8], coming: &[u8], limit: usize) -> (Collected, Vec<u8>) {
        let mut inbox = BytesMut::from(there);
        let collected = collect(coming, &mut inbox, 4, framing, limit).await.unwrap();
        (collected, inbox.to_vec())
    }

    #[tokio::test]
    async fn a_body_is_found_behind_its_head() {
        let chunks = &b"bc\r\n2\r\nde\r\n0\r\n\r\nnext"[..];
        let (found, inbox) = collected(Framing::Chunked, b"HEAD3\r\na", chunks, 5).await;
        let Collected::Whole(whole) = found else { panic!("{found:?}") };
        assert_eq!((whole.raw.as_slice(), &inbox[whole.end..]), (&b"abcde"[..], &b"next"[..]));
        let (found, _) = collected(Framing::UntilClose, b"HEAD", b"rest", 5).await;
        assert!(matches!(found, Collected::Whole(whole) if whole.raw == b"rest"));
    }

    #[tokio::test]
    async fn what_is_too_large_or_broken_is_left_to_the_pump() {
        let (found, inbox) = collected(Framing::Length(6), b"HEAD", b"abcdef", 5).await;
        assert!(matches!(found, Collected::TooLarge) && inbox == b"HEADabcdef");
        let (found, _) = collected(Framing::Length(6), b"HEAD", b"abc", 5).await;
        assert!(matches!(found, Collected::Broken));
        let (found, _) = collected(Framing::Chunked, b"HEAD", b"nonsense\r\n", 5).await;
        assert!(matches!(found, Collected::Broken));
    }
}
