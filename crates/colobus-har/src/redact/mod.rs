//! [`Redaction`]: what a file of traffic must not contain. Built from the recording or configuration, applied by the HAR
//! writer to everything that it writes.

mod encoded;
mod fields;
mod forms;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use colobus_model::spelling::replaced;

use crate::capture::Capture;
use crate::exchange::Header;
pub(crate) use forms::query;

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Headers whose values are never written.
const HEADERS: [&str; 4] = ["cookie", "set-cookie", "authorization", "proxy-authorization"];
/// A field whose name contains one of these holds a secret.
const WORDS: [&str; 8] =
    ["password", "passwd", "passphrase", "passcode", "pwd", "client_secret", "access_token", "refresh_token"];
/// Shorter values occur by chance: they are taken out of their fields only.
const SHORTEST_VALUE: usize = 4;
/// Shorter values of cookies are settings rather than secrets.
const SHORTEST_COOKIE: usize = 16;

/// Removes secrets by the names of fields and headers, and by their values, wherever and however those are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redaction {
    fields: BTreeSet<String>,
    /// Longest first.
    values: Vec<String>,
}

impl Redaction {
    /// Cookies, authorization, and fields that are named like passwords.
    pub fn standard() -> Redaction {
        Redaction::default()
    }

    /// Adds a field, by its name in forms, queries and JSON.
    pub fn field(mut self, name: &str) -> Redaction {
        self.fields.insert(name.to_ascii_lowercase());
        self
    }

    /// Adds a value. Values of fewer than four bytes are ignored: they occur by chance.
    pub fn value(mut self, value: &str) -> Redaction {
        self.add_value(value);
        self
    }

    /// Adds the values that this traffic has in secret fields and headers, so that they are found in other places, too: an
    /// answer that repeats a password, a token before it became a header.
    pub fn values_of(mut self, capture: &Capture) -> Redaction {
        for exchange in &capture.exchanges {
            let request = &exchange.request;
            let mut headers: Vec<&Header> = request.headers.iter().collect();
            headers.extend(exchange.response.iter().flat_map(|response| &response.headers));
            let mut values: Vec<String> = headers.into_iter().flat_map(header_values).collect();
            values.extend(forms::query_values(&request.url, |name| self.is_secret_field(name)));
            values.extend(fields::values(request, |name| self.is_secret_field(name)));
            values.iter().for_each(|value| self.add_value(value));
        }
        self
    }

    fn add_value(&mut self, value: &str) {
        if value.len() < SHORTEST_VALUE || value == REDACTED || self.values.iter().any(|known| known == value) {
            return;
        }
        self.values.push(value.to_owned());
        self.values.sort_by_key(|value| Reverse(value.len()));
    }

    pub(crate) fn is_secret_field(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        self.fields.contains(&name) || WORDS.iter().any(|word| name.contains(word))
    }

    pub(crate) fn header(&self, header: &Header) -> Header {
        let value = match HEADERS.iter().any(|secret| header.name.eq_ignore_ascii_case(secret)) {
            true => REDACTED.to_owned(),
            false if is_url_header(&header.name) => self.url(&header.value),
            false => self.text(&header.value),
        };
        Header { name: self.text(&header.name), value }
    }

    pub(crate) fn url(&self, url: &str) -> String {
        self.text(&forms::without_query_values(url, |name| self.is_secret_field(name)))
    }

    pub(crate) fn text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.bytes(text.as_bytes())).into_owned()
    }

    /// A body or message of this media type.
    pub(crate) fn content(&self, content_type: &str, content: &[u8]) -> Vec<u8> {
        let is_secret = |name: &str| self.is_secret_field(name);
        self.bytes(&fields::without_values(content_type, content, is_secret))
    }

    fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let without = |bytes: Vec<u8>, value: &String| replaced(&bytes, value, REDACTED.as_bytes());
        self.values.iter().fold(bytes.to_vec(), without)
    }
}

fn is_url_header(name: &str) -> bool {
    ["location", "referer", "content-location"].iter().any(|url| name.eq_ignore_ascii_case(url))
}

/// The secrets that a header carries.
fn header_values(header: &Header) -> Vec<String> {
    let value = header.value.as_str();
    let cookies = |text: &str, first_only: bool| -> Vec<String> {
        let pairs = text.split(';').take(if first_only { 1 } else { usize::MAX });
        let values = pairs.filter_map(|pair| Some(pair.split_once('=')?.1.trim().trim_matches('"').to_owned()));
        values.filter(|value| value.len() >= SHORTEST_COOKIE).collect()
    };
    match header.name.to_ascii_lowercase().as_str() {
        "cookie" => cookies(value, false),
        "set-cookie" => cookies(value, true),
        "authorization" | "proxy-authorization" => {
            let credentials = value.trim().split_once(' ').map_or(value, |(_, credentials)| credentials.trim());
            encoded::basic_password(credentials).into_iter().chain([credentials.to_owned()]).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exchange::{Exchange, ExchangeId, Moment, Request, Responder, Timings};

    fn contains(bytes: &[u8], text: &str) -> bool {
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    #[test]
    fn headers_that_authenticate_lose_their_values() {
        for name in ["Cookie", "set-cookie", "AUTHORIZATION", "Proxy-Authorization"] {
            assert_eq!(Redaction::standard().header(&Header::new(name, "s")).value, REDACTED);
        }
        assert_eq!(Redaction::standard().header(&Header::new("X", "kept")).value, "kept");
        let redirect = Header::new("Location", "/next?password=hunter2&x=1");
        assert_eq!(Redaction::standard().header(&redirect).value, "/next?password=[redacted]&x=1");
    }

    #[test]
    fn secret_fields_are_found_in_every_kind_of_body() {
        let redaction = Redaction::standard().field("PIN");
        let multipart = "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n1234\r\n--b\r\n\
                         Content-Disposition: form-data; name=\"x\"\r\n\r\nkept\r\n--b--\r\n";
        for (content_type, content) in [
            ("application/x-www-form-urlencoded", "user=kept&pin=1234"),
            ("application/json; charset=utf-8", r#"{"a":["kept",{"Pin":1234}],"userPassword":"1234"}"#),
            ("text/plain", r#"{"a":"kept","pin":"1234"}"#),
            ("multipart/form-data; boundary=b", multipart),
        ] {
            let redacted = redaction.content(content_type, content.as_bytes());
            assert!(!contains(&redacted, "1234") && contains(&redacted, "kept"), "{content_type}: {redacted:?}");
            assert!(contains(&redacted, REDACTED), "{content_type}");
        }
        let untouched = r#"{ "spaces" : "kept" }"#;
        assert_eq!(redaction.content("application/json", untouched.as_bytes()), untouched.as_bytes());
    }

    #[test]
    fn values_in_secret_places_are_removed_everywhere() {
        let mut exchange = Exchange {
            id: ExchangeId(1),
            started: Moment::default(),
            request: Request::default(),
            response: None,
            responder: Responder::Server,
            failure: None,
            timings: Timings::default(),
        };
        exchange.request.url = "http://h/?access_token=query-token".to_owned();
        exchange.request.headers = vec![
            Header::new("Authorization", "Bearer bearer-token"),
            Header::new("Proxy-Authorization", "Basic bWU6b3BlbiBzZXNhbWU="),
            Header::new("Cookie", "theme=dark; session=0123456789abcdef"),
            Header::new("Content-Type", "application/x-www-form-urlencoded"),
        ];
        exchange.request.body.content = b"password=hunter%202&x=y".to_vec();
        let capture = Capture { exchanges: vec![exchange], ..Capture::default() };
        let redaction = Redaction::standard().values_of(&capture);
        let echo = "query-token bearer-token open sesame 0123456789abcdef hunter 2 hunter+2 dark y";
        let left = redaction.text(echo);
        assert_eq!(left, format!("{} dark y", [REDACTED; 6].join(" ")));
    }

    /// As addresses, JSON and HTML write it.
    fn spellings(value: &str) -> [String; 4] {
        let percent = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let json = serde_json::Value::from(value).to_string();
        [value.to_owned(), percent, json[1..json.len() - 1].replace('/', "\\/"), colobus_markup::escaped(value)]
    }

    proptest! {
        #[test]
        fn a_value_is_gone_however_it_is_written(value in "[ -~é\u{4e00}]{4,20}", around in "[a-z]{0,5}") {
            let redaction = Redaction::standard().value(&value);
            for spelling in spellings(&value) {
                let text = format!("{around}{spelling}{around}");
                let redacted = redaction.content("text/plain", text.as_bytes());
                // What stands in its place may itself contain a value such as `dact`.
                prop_assert!(!contains(&redacted, &spelling) || REDACTED.contains(&value));
            }
        }
    }
}
