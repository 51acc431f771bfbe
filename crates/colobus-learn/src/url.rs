//! Addresses taken apart: origin, path fragments, query. Consumed by [`Request`](crate::Request) and the learners.

use colobus_model::UrlParts;

/// The parts of an address that matter to a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http://host:port`, empty for a path alone. User names and passwords in addresses are dropped.
    pub origin: String,
    /// Decoded fragments; a slash at the end adds none.
    pub path: Vec<String>,
    /// Decoded names and values, in their order.
    pub query: Vec<(String, String)>,
}

impl Address {
    /// Reads `http://host/path?query` or `/path?query`.
    pub fn parse(text: &str) -> Address {
        let text = text.split('#').next().unwrap_or_default();
        let (origin, target) = split_origin(text);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Address { origin, path: fragments(path), query: pairs(query) }
    }
}

fn split_origin(text: &str) -> (String, &str) {
    let Some(UrlParts { scheme, authority, rest, .. }) = UrlParts::of(text) else { return (String::new(), text) };
    let host = authority.rsplit('@').next().unwrap_or_default();
    (format!("{}://{}", scheme.to_ascii_lowercase(), host.to_ascii_lowercase()), rest)
}

/// The fragments of a path. `author/` and `author` are the same path, as in the thesis.
pub fn fragments(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() { Vec::new() } else { path.split('/').map(|fragment| decode(fragment, false)).collect() }
}

/// The pairs of a query or of a form body.
pub fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(name, true), decode(value, true))
        })
        .collect()
}

/// Percent-decoding that leaves what is malformed as it stands.
pub fn decode(text: &str, plus_is_space: bool) -> String {
    let escaped = text.contains('%') || (plus_is_space && text.contains('+'));
    if !escaped {
        return text.to_string();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        let byte =
            escaped.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(if plus_is_space && bytes[at] == b'+' { b' ' } else { bytes[at] });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Percent-encoding of everything but unreserved characters.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(byte as char),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_addresses_apart() {
        let address = Address::parse("HTTP://user:pass@Example.org:81/a%20b//c/?x=1+2&x=%zz&y#z");
        assert_eq!(address.origin, "http://example.org:81");
        assert_eq!(address.path, ["a b", "", "c"]);
        let query: Vec<(&str, &str)> = address.query.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(query, [("x", "1 2"), ("x", "%zz"), ("y", "")]);
        assert_eq!(Address::parse("http://h").path, [] as [&str; 0]);
        assert_eq!(Address::parse("http://h?a=1").query.len(), 1);
    }

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a b", "ä/é?", "100%", "+"] {
            assert_eq!(decode(&encode(text), true), text);
        }
    }
}
