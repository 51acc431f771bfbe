//! The ways in which one value is written: plain, in addresses and forms, in JSON, in HTML.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use colobus_markup::escaped;

/// All spellings that differ from each other.
pub(super) fn all(value: &str) -> Vec<Vec<u8>> {
    let json = serde_json::Value::from(value).to_string();
    let json = json.trim_matches('"').to_owned();
    let component = percent(value, false);
    let spellings = [
        value.to_owned(),
        component.to_lowercase(),
        percent(value, true),
        json.replace('/', "\\/"),
        json,
        escaped(value),
        component,
    ];
    let mut different: Vec<Vec<u8>> = Vec::new();
    for spelling in spellings.map(String::into_bytes) {
        if !spelling.is_empty() && !different.contains(&spelling) {
            different.push(spelling);
        }
    }
    different
}

fn percent(value: &str, form: bool) -> String {
    let byte = |byte: u8| match byte {
        b' ' if form => "+".to_owned(),
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'*' | b'!' | b'\'' | b'(' | b')'
            if !form || !matches!(byte, b'~' | b'!' | b'\'' | b'(' | b')') =>
        {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    value.bytes().map(byte).collect()
}

/// Text from an address or form.
pub(super) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let escaped = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], escaped) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
                continue;
            }
            (b'+', _) => decoded.push(b' '),
            (byte, _) => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The password in credentials of the scheme Basic.
pub(super) fn basic_password(credentials: &str) -> Option<String> {
    let decoded = STANDARD.decode(credentials).or_else(|_| STANDARD_NO_PAD.decode(credentials)).ok()?;
    String::from_utf8(decoded).ok()?.split_once(':').map(|(_, password)| password.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_differ_where_they_must() {
        let written: Vec<String> = all("a b/\"<").into_iter().map(|s| String::from_utf8(s).unwrap()).collect();
        for spelling in ["a b/\"<", "a%20b%2F%22%3C", "a%20b%2f%22%3c", "a+b%2F%22%3C", "a b/\\\"<", "a b/&quot;&lt;"] {
            assert!(written.contains(&spelling.to_owned()), "{spelling}: {written:?}");
        }
        assert_eq!(all("plain").len(), 1);
    }

    #[test]
    fn decoding_survives_what_is_no_encoding() {
        assert_eq!(decoded("a%20b+c%zz%4"), "a b c%zz%4");
        assert_eq!(decoded("%é%c3%a9"), "%éé");
    }
}
