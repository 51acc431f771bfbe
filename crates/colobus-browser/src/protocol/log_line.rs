//! The protocol in the log: a line for each command, answer and event at `debug`, their bodies at `trace`. Written by
//! [`Session`](super::Session) in the span of the client that it belongs to.

use std::fmt;
use std::time::Duration;

use tracing::{Level, Span, debug, enabled, trace};

/// The longest part of a body that is written.
const MOST_CHARACTERS: usize = 300;

/// Whose bodies can hold what a user keeps secret: keys as they are typed, headers, cookies, what a recorder hears, the local
/// storage that a login puts back.
const CONFIDENTIAL: &[&str] = &[
    "DOMStorage.",
    "Fetch.",
    "Input.",
    "Network.",
    "Storage.",
    "Page.addScriptToEvaluateOnNewDocument",
    "Runtime.bindingCalled",
];

/// Whether anything is written: what follows costs time.
pub fn is_on() -> bool {
    enabled!(Level::DEBUG)
}

pub fn sent(span: &Span, session: &str, id: u64, method: &str, parameters: &impl fmt::Display) {
    span.in_scope(|| {
        debug!(target: "protocol", session = short(session), id, method, "sent");
        trace!(target: "protocol", id, body = body(method, &parameters.to_string()), "sent");
    });
}

pub fn answered(span: &Span, id: u64, method: &str, took: Duration, answer: Result<&str, &str>) {
    let milliseconds = format!("{:.1}", took.as_secs_f64() * 1000.0);
    span.in_scope(|| match answer {
        Ok(result) => {
            debug!(target: "protocol", id, method, %milliseconds, bytes = result.len(), "answered");
            trace!(target: "protocol", id, body = body(method, result), "answered");
        }
        Err(problem) => debug!(target: "protocol", id, method, %milliseconds, problem = cut(problem), "refused"),
    });
}

pub fn heard(span: &Span, session: &str, method: &str, parameters: &str) {
    span.in_scope(|| {
        debug!(target: "protocol", session = short(session), method, bytes = parameters.len(), "event");
        trace!(target: "protocol", method, body = body(method, parameters), "event");
    });
}

/// Enough of the name of a session to tell it from others.
fn short(session: &str) -> &str {
    session.get(..6).unwrap_or(session)
}

fn body(method: &str, text: &str) -> String {
    if CONFIDENTIAL.iter().any(|start| method.starts_with(start)) { "(confidential)".to_string() } else { cut(text) }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_bounded_and_confidential_ones_are_left_out() {
        assert_eq!(body("Runtime.evaluate", &"ä".repeat(400)), "ä".repeat(MOST_CHARACTERS) + "…");
        assert_eq!(body("Runtime.evaluate", "{}"), "{}");
        for method in [
            "DOMStorage.getDOMStorageItems",
            "Input.insertText",
            "Network.responseReceived",
            "Page.addScriptToEvaluateOnNewDocument",
            "Storage.setCookies",
            "Runtime.bindingCalled",
        ] {
            assert_eq!(body(method, "hunter2"), "(confidential)");
        }
        assert_eq!((short("0123456789"), short("")), ("012345", ""));
    }
}
