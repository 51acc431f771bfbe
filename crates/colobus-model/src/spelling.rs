//! How one value is written in texts of pages and servers: plain, or escaped as in addresses, forms, JSON, JavaScript and HTML.
//! [`replaced`] takes a secret out of such texts; used wherever something is written that may repeat one.

/// Addresses may stand in addresses: each one inside escapes the `%` of the one before.
const ADDRESSES_IN_ADDRESSES: usize = 2;
/// `&#x0010ffff;` has 12 bytes.
const LONGEST_ENTITY: usize = 12;

/// The text with other bytes in the place of a value. Each character of the value may be escaped in its own way: browsers,
/// forms and servers differ in what they escape (`P@ss!` is `P%40ss!`, `P%40ss%21` and `P@ss%21`).
///
/// ```
/// use colobus_model::spelling::replaced;
///
/// let address = replaced(b"/?next=%2F&password=P%40ss%20w0rd!", "P@ss w0rd!", b"$PASSWORD");
/// assert_eq!(address, b"/?next=%2F&password=$PASSWORD");
/// ```
pub fn replaced(text: &[u8], value: &str, instead: &[u8]) -> Vec<u8> {
    let Some(first) = value.bytes().next() else { return text.to_vec() };
    let (mut result, mut at) = (Vec::with_capacity(text.len()), 0);
    while at < text.len() {
        let may_begin = text[at] == first || matches!(text[at], b'%' | b'+' | b'\\' | b'&');
        match may_begin.then(|| end_of(text, at, value)).flatten() {
            Some(end) => {
                result.extend_from_slice(instead);
                at = end;
            }
            None => {
                result.push(text[at]);
                at += 1;
            }
        }
    }
    result
}

/// Where the value ends that begins here, if it does. An escape may also be meant as it stands (`%25`): the longest spelling
/// counts.
fn end_of(text: &[u8], at: usize, value: &str) -> Option<usize> {
    let mut ends = vec![at];
    for c in value.chars() {
        ends = ends.iter().flat_map(|at| ends_of(text, *at, c)).collect();
        ends.sort_unstable();
        ends.dedup();
        if ends.is_empty() {
            return None;
        }
    }
    ends.pop()
}

/// Where a character ends that begins here, in every way in which it can be written.
fn ends_of(text: &[u8], at: usize, c: char) -> Vec<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let mut buffer = [0; 4];
    let bytes = c.encode_utf8(&mut buffer).as_bytes();
    let plain = rest.starts_with(bytes).then_some(bytes.len());
    let space_of_a_form = (c == ' ' && rest.first() == Some(&b'+')).then_some(1);
    let escaped = (0..=ADDRESSES_IN_ADDRESSES).filter_map(|inside| percent(rest, bytes, inside));
    let others = [plain, space_of_a_form, backslash(rest, c), entity(rest, c)];
    others.into_iter().flatten().chain(escaped).map(|length| at + length).collect()
}

/// The length of `%C3%A9`; inside another address it is `%25C3%25A9`.
fn percent(rest: &[u8], bytes: &[u8], inside: usize) -> Option<usize> {
    let mut at = 0;
    for byte in bytes {
        let digits = at + 1 + 2 * inside;
        let is_escape = rest.get(at) == Some(&b'%') && rest.get(at + 1..digits)?.chunks(2).all(|part| part == b"25");
        if !is_escape || number(rest.get(digits..digits + 2)?, 16)? != u32::from(*byte) {
            return None;
        }
        at = digits + 2;
    }
    Some(at)
}

/// The length of `\"`, `\n`, `\x22` or `\u0022`.
fn backslash(rest: &[u8], c: char) -> Option<usize> {
    let [b'\\', kind, ..] = rest else { return None };
    let (is_meant, length) = match *kind {
        b'u' => return utf16(rest, c),
        b'x' => (number(rest.get(2..4)?, 16)? == u32::from(c), 4),
        b'n' => (c == '\n', 2),
        b'r' => (c == '\r', 2),
        b't' => (c == '\t', 2),
        b'b' => (c == '\u{8}', 2),
        b'f' => (c == '\u{c}', 2),
        itself => (itself.is_ascii() && u32::from(itself) == u32::from(c), 2),
    };
    is_meant.then_some(length)
}

/// The length of `\u00e9`, or of two of them.
fn utf16(rest: &[u8], c: char) -> Option<usize> {
    let mut units = [0; 2];
    let mut at = 0;
    for unit in c.encode_utf16(&mut units) {
        let is_escape = rest.get(at..at + 2)? == b"\\u";
        if !is_escape || number(rest.get(at + 2..at + 6)?, 16)? != u32::from(*unit) {
            return None;
        }
        at += 6;
    }
    Some(at)
}

/// The length of `&amp;`, `&#38;` or `&#x26;`.
fn entity(rest: &[u8], c: char) -> Option<usize> {
    let name = rest.strip_prefix(b"&")?;
    let end = name.iter().take(LONGEST_ENTITY).position(|byte| *byte == b';')?;
    let meant = match &name[..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        _ => return None,
    };
    (meant == c).then_some("&;".len() + end)
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.chars().all(|c| c.is_digit(radix)))?;
    u32::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn without(text: &str, value: &str) -> String {
        String::from_utf8(replaced(text.as_bytes(), value, b"<>")).unwrap()
    }

    #[test]
    fn a_value_is_found_in_every_spelling() {
        const VALUE: &str = "P@ss w0rd!~*'()";
        for written in [
            VALUE,
            // encodeURIComponent
            "P%40ss%20w0rd!~*'()",
            // The query of an address, as browsers complete it.
            "P@ss%20w0rd!~*%27()",
            // Python, RFC 3986
            "P%40ss%20w0rd%21~%2A%27%28%29",
            "P%40ss%20w0rd%21%7E%2a%27%28%29",
            // Forms, URLSearchParams
            "P%40ss+w0rd%21%7E*%27%28%29",
            // The address of another page, in a parameter.
            "P%2540ss%2520w0rd!~*'()",
            "P%252540ss%252520w0rd!~*'()",
            // JavaScript, HTML
            "P@ss w0rd!~*\\'()",
            "P\\u0040ss\\x20w0rd!~*\\u0027()",
            "P@ss w0rd!~*&#39;()",
            "P&#x40;ss&#32;w0rd!~*&apos;()",
        ] {
            assert_eq!(without(&format!("a={written}&b"), VALUE), "a=<>&b", "{written}");
        }
        for other in ["p@ss w0rd!~*'()", "P%41ss w0rd!~*'()", "P@ss-w0rd!~*'()", "P@ss w0rd!~*'(", "P%+0ss w0rd!~*'()"]
        {
            assert_eq!(without(other, VALUE), other);
        }
    }

    #[test]
    fn values_that_look_like_escapes_are_found() {
        for (value, written) in [
            ("%25%25", "%25%25"),
            ("%25%25", "%2525%2525"),
            ("a\\nb", "a\\nb"),
            ("a\\nb", "a\\\\nb"),
            ("&amp;", "&amp;amp;"),
            ("a+b ", "a%2Bb+"),
            ("é\u{4e00}😀", "%C3%a9\\u4E00\\ud83d\\ude00"),
            ("é\u{4e00}😀", "&#233;\u{4e00}%f0%9f%98%80"),
        ] {
            assert_eq!(without(&format!("x{written}x"), value), "x<>x", "{value} as {written}");
        }
        assert_eq!(without("x", ""), "x");
        assert_eq!(without("%", "%%"), "%");
        assert_eq!(without("&#;\\u\\x&", "secret"), "&#;\\u\\x&");
    }

    proptest! {
        #[test]
        fn no_text_is_split_within_a_character(text in "[%+&;#x\\\\u0-9a-fé😀 ]{0,30}", value in "[ -~é😀]{1,6}") {
            let replaced = replaced(text.as_bytes(), &value, b"");
            prop_assert!(String::from_utf8(replaced).is_ok());
        }

        #[test]
        fn characters_may_be_escaped_each_in_its_own_way(
            value in proptest::collection::vec((any::<char>(), 0..4_usize), 1..12)
        ) {
            let write = |(c, way): &(char, usize)| match way {
                0 => c.to_string(),
                1 => c.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect(),
                2 => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect(),
                _ => format!("&#{};", u32::from(*c)),
            };
            let written: String = value.iter().map(write).collect();
            let value: String = value.iter().map(|(c, _)| *c).collect();
            prop_assert_eq!(without(&written, &value), "<>");
        }
    }
}
