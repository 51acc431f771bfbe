//! Text that came from a page, a recording or a trace, made safe for terminals and for code. Used by everything that prints
//! such a text ([`shown`]), puts it into a comment ([`one_line`]) or into code as a value ([`string_literal`]).

use std::fmt::Write;

/// Whether a character does more than stand in a text: it moves the cursor or changes colours, ends a line of code, or turns
/// the direction of what follows, so that a line reads as something that it is not.
pub fn is_deceptive(c: char) -> bool {
    c.is_control() || ends_line(c) || turns_direction(c)
}

/// Whether JavaScript, a terminal or a log begins a new line after it.
pub fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{0b}' | '\u{0c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether it reorders the text around it.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text for a terminal: lines and tabs stay, every other deceptive character is written as an escape. Texts of JSON,
/// JavaScript and TOML mean the same afterwards.
pub fn shown(text: &str) -> String {
    escaped(text, |c| is_deceptive(c) && c != '\n' && c != '\t')
}

/// The text as one line for a comment: a space for every line end and tab, nothing for other deceptive characters.
pub fn one_line(text: &str) -> String {
    text.chars().filter_map(in_line).collect()
}

/// What stands for a character in [`one_line`].
pub fn in_line(c: char) -> Option<char> {
    match c {
        '\t' => Some(' '),
        c if ends_line(c) => Some(' '),
        c if is_deceptive(c) => None,
        c => Some(c),
    }
}

/// The text as a string of JSON, JavaScript and TOML: one line, without a deceptive character in it.
pub fn string_literal(text: &str) -> String {
    escaped(&serde_json::Value::from(text).to_string(), is_deceptive)
}

/// The text with `\u202e` in the place of characters that must not stand in it.
pub fn escaped(text: &str, must_not_stand: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if must_not_stand(c) {
            // All deceptive characters have four digits at most; a `String` takes everything.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\x1b[31m\x07\r\n\u{9b}\u{7f}\u{202e}b\u{2028}\u{2029}\tc\"";

    #[test]
    fn hostile_text_is_shown_as_escapes() {
        let expected = "a\\u001b[31m\\u0007\\u000d\n\\u009b\\u007f\\u202eb\\u2028\\u2029\tc\"";
        assert_eq!(shown(HOSTILE), expected);
        assert_eq!(shown("👩‍👩‍👧 שלום\n"), "👩‍👩‍👧 שלום\n");
    }

    #[test]
    fn hostile_text_stays_in_its_comment() {
        assert_eq!(one_line(HOSTILE), "a[31m  b   c\"");
    }

    #[test]
    fn hostile_text_stays_in_its_string() {
        let literal = string_literal(HOSTILE);
        assert!(!literal.contains(is_deceptive), "{literal}");
        assert_eq!(serde_json::from_str::<String>(&literal).unwrap(), HOSTILE);
    }
}
