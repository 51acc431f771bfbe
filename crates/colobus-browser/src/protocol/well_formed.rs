//! [`well_formed`]: strings of JavaScript in which half of a surrogate pair stands alone, such as half of an emoji that a page cut in
//! two. JSON can say them (`\ud83d`), and Rust's strings cannot.

use std::borrow::Cow;

/// The JSON with `\ufffd(d83d)` in the place of every half that stands alone: different halves stay different.
pub fn well_formed(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    let mut repaired = String::with_capacity(json.len() + 16);
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        repaired.push_str(&rest[..at]);
        rest = &rest[at..];
        // An escape that ends too early is for the parser to complain of.
        let length = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                repaired.push_str("\\ufffd(");
                repaired.push_str(&rest[2..6].to_ascii_lowercase());
                repaired.push(')');
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // The character behind it belongs to it: a backslash, above all.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        repaired.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    repaired.push_str(rest);
    Cow::Owned(repaired)
}

/// The number that an escape at the beginning of the text stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::well_formed;

    #[test]
    fn only_halves_that_stand_alone_are_replaced() {
        let read = |json: &str| serde_json::from_str::<String>(&well_formed(json)).unwrap();
        assert_eq!(read(r#""a\ud83d\ude00b""#), "a😀b");
        assert_eq!(read(r#""\ud83d""#), "\u{fffd}(d83d)");
        assert_eq!(read(r#""\uDE00\ud83d\ud83d\ude00é""#), "\u{fffd}(de00)\u{fffd}(d83d)😀é");
        assert_eq!(read(r#""\\ud83d""#), "\\ud83d", "a backslash and five letters");
        assert_eq!(read(r#""\\\ud83d\n\u0041\"""#), "\\\u{fffd}(d83d)\nA\"");
        for broken in [r#""\ud83d\"#, r#""\ud8"#, r#""\ud83d\u"#, "\\", "\\ud\\é"] {
            assert!(serde_json::from_str::<String>(&well_formed(broken)).is_err(), "{broken}");
        }
    }
}
