//! Encoders of every content-encoding, for tests.

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
