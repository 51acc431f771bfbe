//! Content-encodings of HTTP bodies taken off: gzip, deflate, br, zstd, and any sequence of them. Used by the tap, which
//! wants as much as there is, and by the rewriter, which wants all or nothing.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use colobus_har::Body;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

/// Content, and how far decoding got.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub content: Vec<u8>,
    pub end: End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Complete,
    /// The content is larger than the limit; its beginning is there.
    Limit,
    /// What could be decoded before this went wrong is there.
    Failed(String),
    /// The encoding is not known; the content is there as it was transferred.
    Unknown(String),
}

/// Zstandard frames with larger windows are refused, as RFC 9659 demands for content-encodings.
const LARGEST_WINDOW: u64 = 8 << 20;

/// Takes the encodings of a `Content-Encoding` header off, at most `limit` bytes of content.
pub(super) fn decode(header: &str, raw: &[u8], limit: usize) -> Decoded {
    let codings: Vec<String> = header
        .split(',')
        .map(|coding| coding.trim().to_ascii_lowercase())
        .filter(|coding| !coding.is_empty() && coding != "identity")
        .collect();
    // An empty body has nothing to decode, whatever its header says.
    if codings.is_empty() || raw.is_empty() {
        let end = if raw.len() > limit { End::Limit } else { End::Complete };
        return Decoded { content: raw[..raw.len().min(limit)].to_vec(), end };
    }
    if let Some(unknown) = codings.iter().find(|coding| !is_known(coding)) {
        return Decoded { content: raw[..raw.len().min(limit)].to_vec(), end: End::Unknown(unknown.clone()) };
    }
    let mut decoded = Decoded { content: raw.to_vec(), end: End::Complete };
    for coding in codings.iter().rev() {
        let inner = one(coding, &decoded.content, limit);
        let end = if decoded.end == End::Complete { inner.end } else { decoded.end };
        decoded = Decoded { content: inner.content, end };
    }
    decoded
}

/// A body as data. What does not decode stays as it is and says why, unless it is incomplete: then its beginning counts.
pub(super) fn plain_body(encoding: &str, raw: &[u8], transferred: u64, incomplete: bool, limit: usize) -> Body {
    let decoded = decode(encoding, raw, limit);
    let undecoded = match &decoded.end {
        End::Unknown(coding) => Some(format!("the content-encoding `{coding}` is not known")),
        End::Failed(why) if !incomplete => Some(format!("the body does not decode: {why}")),
        _ => None,
    };
    let cut = incomplete || decoded.end == End::Limit;
    let content = if undecoded.is_some() { raw[..raw.len().min(limit)].to_vec() } else { decoded.content };
    Body { content, transferred, cut, undecoded }
}

fn is_known(coding: &str) -> bool {
    matches!(coding, "gzip" | "x-gzip" | "deflate" | "br" | "zstd")
}

fn one(coding: &str, raw: &[u8], limit: usize) -> Decoded {
    match coding {
        "br" => read(Decompressor::new(raw, 4096), limit),
        "zstd" => zstd(raw, limit),
        // Servers send both what the standard says (zlib) and what the name says (bare deflate).
        "deflate" if has_zlib_header(raw) => read(ZlibDecoder::new(raw), limit),
        "deflate" => read(DeflateDecoder::new(raw), limit),
        _ => read(MultiGzDecoder::new(raw), limit),
    }
}

fn has_zlib_header(raw: &[u8]) -> bool {
    matches!(raw, [method, flags, ..] if method & 0x0f == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0)
}

/// All frames, one after the other.
fn zstd(mut raw: &[u8], limit: usize) -> Decoded {
    let mut decoded = Decoded { content: Vec::new(), end: End::Complete };
    while !raw.is_empty() && decoded.end == End::Complete {
        let frame = match StreamingDecoder::new_with_max_window_size(&mut raw, LARGEST_WINDOW) {
            Ok(frame) => read(frame, limit - decoded.content.len()),
            Err(error) => Decoded { content: Vec::new(), end: End::Failed(error.to_string()) },
        };
        decoded.content.extend(frame.content);
        decoded.end = frame.end;
    }
    decoded
}

fn read(mut decoder: impl Read, limit: usize) -> Decoded {
    let mut content = Vec::new();
    let mut block = [0; 16 * 1024];
    loop {
        match decoder.read(&mut block) {
            Ok(0) => return Decoded { content, end: End::Complete },
            Ok(len) => {
                let room = limit - content.len();
                content.extend_from_slice(&block[..len.min(room)]);
                if len > room {
                    return Decoded { content, end: End::Limit };
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Decoded { content, end: End::Failed(error.to_string()) },
        }
    }
}

#[cfg(test)]
#[path = "../tests/proxy/encoded.rs"]
mod encoded;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::encoded::{ALL, encode};
    use super::*;

    fn name(coding: &str) -> &str {
        coding.strip_prefix("bare ").unwrap_or(coding)
    }

    proptest! {
        #[test]
        fn what_was_encoded_comes_back(content in prop::collection::vec(any::<u8>(), 0..5000), copies in 1..40usize) {
            let content = content.repeat(copies);
            for coding in ALL {
                let decoded = decode(name(coding), &encode(coding, &content), usize::MAX);
                prop_assert_eq!(&decoded.end, &End::Complete, "{}", coding);
                prop_assert!(decoded.content == content, "{}", coding);
            }
        }

        #[test]
        fn bytes_that_are_no_encoding_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for coding in ALL {
                decode(name(coding), &bytes, 1000);
            }
        }
    }

    #[test]
    fn real_brotli_is_read() {
        // Made by Node: zlib.brotliCompressSync("colobus ".repeat(8)).
        let raw = [
            0x1b, 0x3f, 0x00, 0xf8, 0x8d, 0x94, 0x6e, 0xde, 0xb4, 0x06, 0x19, 0x7b, 0xab, 0x93, 0x62, 0x6c, 0x73, 0xf1,
            0x4f, 0x38, 0x40, 0xac, 0x3c,
        ];
        let content = "colobus ".repeat(8).into_bytes();
        assert_eq!(decode("br", &raw, 1000), Decoded { content, end: End::Complete });
    }

    #[test]
    fn encodings_may_be_stacked() {
        let raw = encode("br", &encode("gzip", b"twice"));
        assert_eq!(decode("GZIP, identity, br", &raw, 100).content, b"twice");
    }

    #[test]
    fn the_beginning_of_what_is_too_large_or_broken_is_there() {
        let content = vec![b'x'; 100_000];
        for coding in ALL {
            let raw = encode(coding, &content);
            let decoded = decode(name(coding), &raw, 10_000);
            assert_eq!((decoded.content.len(), decoded.end), (10_000, End::Limit), "{coding}");
        }
        let noise: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for coding in ["gzip", "deflate", "br"] {
            let raw = encode(coding, &noise);
            let decoded = decode(coding, &raw[..raw.len() / 2], usize::MAX);
            assert!(matches!(decoded.end, End::Failed(_)), "{coding}: {:?}", decoded.end);
            assert!(decoded.content.len() > 10_000 && noise.starts_with(&decoded.content), "{coding}");
        }
    }

    #[test]
    fn unknown_encodings_are_named_and_left_alone() {
        let decoded = decode("dcz", b"raw", 100);
        assert_eq!(decoded, Decoded { content: b"raw".to_vec(), end: End::Unknown("dcz".to_owned()) });
        assert_eq!(decode("", b"raw", 2), Decoded { content: b"ra".to_vec(), end: End::Limit });
        assert_eq!(decode("gzip", b"", 2), Decoded { content: Vec::new(), end: End::Complete });
    }
}
