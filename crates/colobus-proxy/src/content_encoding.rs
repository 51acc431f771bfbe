//! Content-encodings of HTTP bodies taken off: gzip, deflate, br, zstd, and any sequence of them. Used by the tap, which
//! wants as much as there is, and by the rewriter, which wants all or nothing.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
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

/// Takes the encodings of a `Content-Encoding` header off, at most `limit` bytes of content. No header, no encoding.
pub(super) fn decode(header: Option<&str>, raw: &[u8], limit: usize) -> Decoded {
    let codings: Vec<String> = header
        .unwrap_or_default()
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
pub(super) mod encode {
    //! Encoders for tests.

    use std::io::Read;

    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    pub const ALL: [&str; 6] = ["identity", "gzip", "deflate", "bare deflate", "br", "zstd"];

    pub fn encode(coding: &str, content: &[u8]) -> Vec<u8> {
        let level = Compression::default();
        match coding {
            "gzip" => all(GzEncoder::new(content, level)),
            "deflate" => all(ZlibEncoder::new(content, level)),
            "bare deflate" => all(DeflateEncoder::new(content, level)),
            "br" => stored_brotli(content),
            "zstd" => compress_to_vec(content, CompressionLevel::Fastest),
            _ => content.to_vec(),
        }
    }

    fn all(mut reader: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// Brotli without compression (RFC 7932, section 9.2): blocks that are stored, and an empty last one.
    fn stored_brotli(content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (index, block) in content.chunks(0x10000).enumerate() {
            // From the lowest bit: not last, four nibbles of length, the length less one, stored. The window's size goes
            // before all of it, and is a zero bit.
            let header = ((block.len() as u32 - 1) << 3) | 1 << 19;
            let header = if index == 0 { header << 1 } else { header };
            bytes.extend_from_slice(&header.to_le_bytes()[..3]);
            bytes.extend_from_slice(block);
        }
        bytes.push(if content.is_empty() { 0b110 } else { 0b11 });
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::encode::{ALL, encode};
    use super::*;

    fn name(coding: &str) -> &str {
        coding.strip_prefix("bare ").unwrap_or(coding)
    }

    proptest! {
        #[test]
        fn what_was_encoded_comes_back(content in prop::collection::vec(any::<u8>(), 0..5000), copies in 1..40usize) {
            let content = content.repeat(copies);
            for coding in ALL {
                let decoded = decode(Some(name(coding)), &encode(coding, &content), usize::MAX);
                prop_assert_eq!(&decoded.end, &End::Complete, "{}", coding);
                prop_assert!(decoded.content == content, "{}", coding);
            }
        }

        #[test]
        fn bytes_that_are_no_encoding_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for coding in ALL {
                decode(Some(name(coding)), &bytes, 1000);
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
        assert_eq!(decode(Some("br"), &raw, 1000), Decoded { content, end: End::Complete });
    }

    #[test]
    fn encodings_may_be_stacked() {
        let raw = encode("br", &encode("gzip", b"twice"));
        assert_eq!(decode(Some("GZIP, identity, br"), &raw, 100).content, b"twice");
    }

    #[test]
    fn the_beginning_of_what_is_too_large_or_broken_is_there() {
        let content = vec![b'x'; 100_000];
        for coding in ALL {
            let raw = encode(coding, &content);
            let decoded = decode(Some(name(coding)), &raw, 10_000);
            assert_eq!((decoded.content.len(), decoded.end), (10_000, End::Limit), "{coding}");
        }
        let noise: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for coding in ["gzip", "deflate", "br"] {
            let raw = encode(coding, &noise);
            let decoded = decode(Some(coding), &raw[..raw.len() / 2], usize::MAX);
            assert!(matches!(decoded.end, End::Failed(_)), "{coding}: {:?}", decoded.end);
            assert!(decoded.content.len() > 10_000 && noise.starts_with(&decoded.content), "{coding}");
        }
    }

    #[test]
    fn unknown_encodings_are_named_and_left_alone() {
        let decoded = decode(Some("dcz"), b"raw", 100);
        assert_eq!(decoded, Decoded { content: b"raw".to_vec(), end: End::Unknown("dcz".to_owned()) });
        assert_eq!(decode(None, b"raw", 2), Decoded { content: b"ra".to_vec(), end: End::Limit });
        assert_eq!(decode(Some("gzip"), b"", 2), Decoded { content: Vec::new(), end: End::Complete });
    }
}
