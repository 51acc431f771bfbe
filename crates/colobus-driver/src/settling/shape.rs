//! Shapes of messages and requests: what is the same in all messages of one kind. Used to tell heartbeats from reactions, and to
//! name requests that stay open or are sent again and again.

use colobus_model::matches_pattern;

/// Enough to tell kinds apart.
const LONGEST: usize = 80;

/// Bytes at the beginning of a message that are smaller name a kind; others are lengths and the like.
const MOST_KINDS: u8 = 8;

/// Words by which programs call messages that mean nothing but "I am still there".
const HEARTBEATS: [&str; 8] =
    ["ping", "pong", "heartbeat", "heart_beat", "keepalive", "keep-alive", "keep_alive", "ka"];
/// Fields whose value names the kind of a message.
const KINDS: [&str; 10] = ["type", "event", "msg", "op", "kind", "action", "method", "cmd", "command", "t"];

/// The message without its values: strings that are values, and numbers, are all the same. Of bytes, those at the beginning that
/// name a kind.
pub fn of_message(preview: &str) -> String {
    if let Some(first) = first_bytes(preview) {
        let kinds = first.iter().enumerate().take_while(|(place, byte)| *place == 0 || **byte < MOST_KINDS);
        return kinds.map(|(_, byte)| format!("<{byte:02x}>")).collect();
    }
    let mut shape = String::new();
    let mut rest = preview;
    let mut last_key = String::new();
    while let Some(first) = rest.chars().next() {
        if shape.len() >= LONGEST {
            break;
        }
        if first == '"' {
            let (string, after) = quoted(rest);
            let is_key = after.trim_start().starts_with(':');
            if is_key || KINDS.contains(&last_key.as_str()) {
                shape.push_str(string);
            } else {
                shape.push('$');
            }
            last_key = if is_key { string.to_string() } else { String::new() };
            rest = after;
        } else if first.is_ascii_digit() {
            shape.push('#');
            rest = rest.trim_start_matches(|digit: char| digit.is_ascii_hexdigit() || digit == '.');
        } else {
            shape.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    shape
}

/// The first two bytes of a message that is not text, as its preview shows them: in hexadecimal, or escaped if they happen to
/// be characters.
fn first_bytes(preview: &str) -> Option<Vec<u8>> {
    if let Some(digits) = preview.strip_prefix('<') {
        let bytes = digits.split([' ', '>']).take(2).filter(|byte| byte.len() == 2);
        return bytes
            .map(|byte| u8::from_str_radix(byte, 16).ok())
            .collect::<Option<Vec<u8>>>()
            .filter(|b| !b.is_empty());
    }
    let mut bytes = Vec::new();
    let mut rest = preview;
    while bytes.len() < 2 {
        let Some((byte, after)) = escaped_byte(rest) else { break };
        bytes.push(byte);
        rest = after;
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// A control character at the beginning of an escaped text, and the rest.
fn escaped_byte(text: &str) -> Option<(u8, &str)> {
    if let Some(rest) = text.strip_prefix("\\0") {
        return Some((0, rest));
    }
    let (digits, rest) = text.strip_prefix("\\u{")?.split_once('}')?;
    Some((u8::from_str_radix(digits, 16).ok()?, rest))
}

/// What stands between quotes, and what comes behind them.
fn quoted(text: &str) -> (&str, &str) {
    let inside = &text[1..];
    let mut escaped = false;
    for (index, character) in inside.char_indices() {
        match character {
            '"' if !escaped => return (&inside[..index], &inside[index + 1..]),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    (inside, "")
}

/// Whether a message says nothing but that its sender is still there: by its name, or because it is a comment in a stream of
/// events, or one of the single characters that socket.io and SockJS send.
pub fn is_heartbeat(preview: &str) -> bool {
    let text = preview.trim();
    let is_comment = text.starts_with(':') && !text.contains("\\n") && !text.contains("\\r");
    if is_comment || matches!(text, "" | "2" | "3" | "h" | "{\"type\":6}") {
        return true;
    }
    let words = text.split(|character: char| !(character.is_ascii_alphanumeric() || "_-".contains(character)));
    let is_short = text.len() <= 200;
    is_short && named(text).is_some_and(|name| HEARTBEATS.contains(&last_word(&name).as_str()))
        || words.filter(|word| !word.is_empty()).eq([text]) && HEARTBEATS.contains(&text.to_ascii_lowercase().as_str())
}

/// The value of the field that names the kind of a message.
fn named(text: &str) -> Option<String> {
    let mut rest = text;
    while let Some(quote) = rest.find('"') {
        let (key, after) = quoted(&rest[quote..]);
        let value = after.trim_start().strip_prefix(':').map(str::trim_start);
        if let Some(value) = value.filter(|value| value.starts_with('"') && KINDS.contains(&key)) {
            return Some(quoted(value).0.to_ascii_lowercase());
        }
        rest = after;
    }
    None
}

/// `ping` of `pusher:ping`.
fn last_word(name: &str) -> String {
    name.rsplit([':', '.', '/']).next().unwrap_or(name).to_string()
}

/// `GET /rooms/*/poll`: parts of the path with digits in them are names of documents and the like.
pub fn of_request(method: &str, url: &str) -> String {
    let parts = path(url).split('/').map(|part| if part.contains(|c: char| c.is_ascii_digit()) { "*" } else { part });
    format!("{method} {}", parts.collect::<Vec<_>>().join("/"))
}

/// The path of an address, without its query.
fn path(url: &str) -> &str {
    path_and_query(url).split(['?', '#']).next().unwrap_or_default()
}

fn path_and_query(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |slash| &rest[slash..])
}

/// Whether a pattern of the configuration means this address: its path, or path and query. `*` stands for anything.
pub fn matches(pattern: &str, url: &str) -> bool {
    [path(url), path_and_query(url)].iter().any(|text| matches_pattern(pattern, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_one_kind_have_one_shape() {
        let shape = r##"{"type":"add","item":{"id":#,"text":$}}"##;
        assert_eq!(
            of_message(r#"{"type":"add","item":{"id":17,"text":"milk \"fresh\""}}"#),
            of_message(r#"{"type":"add","item":{"id":3.5,"text":"x"}}"#)
        );
        assert_eq!(of_message(r#"{"type":"add","item":{"id":17,"text":"milk"}}"#), shape.replace('"', ""));
        assert_ne!(of_message(r#"{"type":"add"}"#), of_message(r#"{"type":"remove"}"#));
        assert_eq!(of_message("cut \"off"), "cut $");
    }

    #[test]
    fn bytes_are_told_apart_by_those_that_name_a_kind() {
        for (preview, shape) in [
            ("<00 02 9d 01 …>", "<00><02>"),
            ("\\0\\u{2}\\u{5}abc", "<00><02>"),
            ("<01 4f a0>", "<01>"),
            ("<01>", "<01>"),
            ("\\u{1}O abc", "<01>"),
            ("<p>text</p>", "<p>text</p>"),
        ] {
            assert_eq!(of_message(preview), shape);
        }
    }

    #[test]
    fn heartbeats_are_known_by_name() {
        for beat in ["2", "h", "ping", ": still here", r#"{"type":"ping"}"#, r#"{"event":"pusher:pong","data":{}}"#, ""]
        {
            assert!(is_heartbeat(beat), "{beat}");
        }
        for message in ["hello", r#"{"type":"add","text":"ping"}"#, "data: ping pong", r#"{"ping":true}"#, "27"] {
            assert!(!is_heartbeat(message), "{message}");
        }
    }

    #[test]
    fn requests_are_named_by_method_and_path() {
        assert_eq!(of_request("GET", "http://127.0.0.1:80/rooms/test0-000001/poll?since=3"), "GET /rooms/*/poll");
        assert_eq!(of_request("POST", "http://localhost"), "POST /");
    }

    #[test]
    fn patterns_match_path_or_path_and_query() {
        let url = "http://127.0.0.1:8080/poll/a?doc=7";
        for pattern in ["/poll*", "/poll/a", "*", "/poll/*?doc=*", "/*/a", "*doc=7"] {
            assert!(matches(pattern, url), "{pattern}");
        }
        for pattern in ["/poll", "/pol", "poll*", "/poll/*?x=*", ""] {
            assert!(!matches(pattern, url), "{pattern}");
        }
    }
}
