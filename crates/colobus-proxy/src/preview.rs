//! One line that shows a person how a message begins.

const SHOWN: usize = 160;

/// Text is escaped, bytes that are not text are shown in hexadecimal; both are cut to a readable length.
pub(super) fn preview(payload: &[u8]) -> String {
    let beginning = &payload[..payload.len().min(SHOWN * 4)];
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        // A character cut in half by the slice above is no reason to call it binary.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&beginning[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return hexadecimal(payload),
    };
    let mut line: String = text.chars().take(SHOWN).flat_map(shown).collect();
    if text.chars().count() > SHOWN || beginning.len() < payload.len() {
        line.push('…');
    }
    line
}

/// Quotes stay readable; whatever would break the line or fool a terminal is escaped.
fn shown(character: char) -> impl Iterator<Item = char> {
    let escaped = match character {
        '"' | '\'' => None,
        other => Some(other.escape_debug()),
    };
    let plain = escaped.is_none().then_some(character);
    escaped.into_iter().flatten().chain(plain)
}

fn hexadecimal(payload: &[u8]) -> String {
    let digits: Vec<String> = payload.iter().take(SHOWN / 5).map(|byte| format!("{byte:02x}")).collect();
    let more = if payload.len() > digits.len() { " …" } else { "" };
    format!("<{}{more}>", digits.join(" "))
}

#[cfg(test)]
mod tests {
    use super::preview;

    #[test]
    fn text_is_escaped_and_cut() {
        assert_eq!(preview(b"{\"a\":\"b\nc\x1b[0m\"}"), "{\"a\":\"b\\nc\\u{1b}[0m\"}");
        assert_eq!(preview("é".repeat(200).as_bytes()), format!("{}…", "é".repeat(160)));
        assert_eq!(preview(b""), "");
    }

    #[test]
    fn bytes_are_shown_in_hexadecimal() {
        assert_eq!(preview(&[0xff, 0x00, 0x10]), "<ff 00 10>");
        assert!(preview(&[0xff; 100]).ends_with(" …>"));
    }
}
