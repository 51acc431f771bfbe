//! Heads for bodies that were replaced.

use super::headers::write_header;
use super::plain::parts;

/// Headers that describe bytes which are no longer there.
const OF_THE_OLD_BODY: [&str; 12] = [
    "content-length",
    "transfer-encoding",
    "trailer",
    "content-encoding",
    "etag",
    "accept-ranges",
    "content-md5",
    "digest",
    "content-digest",
    "repr-digest",
    "signature",
    "signature-input",
];

/// The head for a body of this length, sent without encoding.
pub(crate) fn with_body(head: &[u8], length: usize) -> Vec<u8> {
    let (line, headers) = parts(head);
    let mut replaced = format!("{line}\r\n").into_bytes();
    for header in headers {
        if !OF_THE_OLD_BODY.iter().any(|old| header.name.eq_ignore_ascii_case(old)) {
            write_header(&mut replaced, &header.name, header.value.as_bytes());
        }
    }
    write_header(&mut replaced, "Content-Length", length.to_string().as_bytes());
    replaced.extend_from_slice(b"\r\n");
    replaced
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_described_the_old_body_goes() {
        let head = b"HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\
                     content-encoding: br\r\nContent-Digest: d\r\nConnection: close\r\n\r\n";
        let expected = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 7\r\n\r\n";
        assert_eq!(String::from_utf8(super::with_body(head, 7)).unwrap(), expected);
    }
}
