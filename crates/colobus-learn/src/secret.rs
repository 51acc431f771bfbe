//! [`Secrets`]: what must never reach a description, a schema or an example. Collected from all exchanges before anything
//! is learned, consulted wherever a value would be kept.

use std::collections::HashSet;

use serde_json::Value;

use crate::exchange::Exchange;
use crate::request::Request;
use crate::schema::format::is_token;

/// Values that are secret wherever they turn up.
#[derive(Clone, Debug, Default)]
pub struct Secrets(HashSet<String>);

/// Parts of names of fields, parameters and headers whose values are secret.
const NAMES: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "authorization",
    "credential",
    "private_key",
    "privatekey",
    "session",
    "csrf",
    "xsrf",
    "jwt",
    "cvv",
];
/// Names that are secret as a whole.
const WHOLE_NAMES: [&str; 8] = ["pin", "otp", "pass", "sid", "auth", "key", "sig", "signature"];
const HEADERS: [&str; 7] =
    ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token"];
/// Shorter values are words that turn up by chance.
const SHORTEST: usize = 4;

impl Secrets {
    /// Every secret of a capture.
    pub fn of(exchanges: &[Exchange]) -> Secrets {
        let mut secrets = Secrets::default();
        for exchange in exchanges {
            for (name, value) in exchange.request_headers.iter().chain(&exchange.response_headers) {
                secrets.add_header(&name.to_ascii_lowercase(), value);
            }
            let request = Request::of(exchange);
            for (name, value) in &request.parameters {
                if Secrets::is_secret_name(name) {
                    secrets.add(value);
                }
                if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(value) {
                    secrets.collect(&value, false);
                }
            }
            request.path.iter().filter(|fragment| is_token(fragment)).for_each(|fragment| secrets.add(fragment));
            request.body.iter().for_each(|body| secrets.collect(body, false));
            let answer = exchange.response_body.as_ref().and_then(crate::Body::as_json);
            answer.iter().for_each(|answer| secrets.collect(answer, false));
            for message in &exchange.messages {
                if let Ok(value) = serde_json::from_str(&message.text) {
                    secrets.collect(&value, false);
                }
            }
        }
        secrets
    }

    fn add_header(&mut self, name: &str, value: &str) {
        if !HEADERS.contains(&name) && !Secrets::is_secret_name(name) {
            return;
        }
        for part in value.split([';', ',', ' ']) {
            let content = part.split_once('=').map_or(part, |(_, content)| content);
            // Attributes of cookies and schemes such as Bearer are words in common use.
            if part != content || is_token(content) || name.contains("key") || name.contains("token") {
                self.add(content.trim_matches('"'));
            }
        }
        self.add(value.split_once(' ').map_or(value, |(_, credentials)| credentials));
    }

    fn add(&mut self, value: &str) {
        let common = ["true", "false", "null", "none", "basic", "bearer", "lax", "strict", "httponly", "secure"];
        if value.len() >= SHORTEST && !common.contains(&value.to_ascii_lowercase().as_str()) {
            self.0.insert(value.to_string());
        }
    }

    fn collect(&mut self, value: &Value, secret: bool) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.collect(value, secret || Secrets::is_secret_name(name));
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, secret)),
            Value::String(text) if secret => self.add(text),
            Value::Number(number) if secret => self.add(&number.to_string()),
            _ => {}
        }
    }

    /// True if values of this name are secret.
    pub fn is_secret_name(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        WHOLE_NAMES.contains(&name.as_str()) || NAMES.iter().any(|part| name.contains(part))
    }

    /// True if the text is a secret or has one inside.
    pub fn hides(&self, text: &str) -> bool {
        if self.0.is_empty() || text.len() < SHORTEST {
            return false;
        }
        self.0.contains(text)
            || text.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c)).any(|part| self.0.contains(part))
    }

    /// True if a constant of a request must not be written. Words that are a secret somewhere else are fine as a route.
    pub fn forbids_constant(&self, text: &str) -> bool {
        is_token(text) || (self.hides(text) && (text.len() >= 12 || text.bytes().any(|byte| byte.is_ascii_digit())))
    }
}
