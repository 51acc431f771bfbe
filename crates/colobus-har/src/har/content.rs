//! Bodies and messages as text: plain where they are text, in base64 where they are not.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::exchange::Body;

pub(super) enum Written {
    Text(String),
    Base64(String),
}

pub(super) fn written(content: Vec<u8>) -> Written {
    match String::from_utf8(content) {
        Ok(text) => Written::Text(text),
        Err(bytes) => Written::Base64(STANDARD.encode(bytes.as_bytes())),
    }
}

/// Why a body is not what it was, for a person.
pub(super) fn comment(body: &Body, rewritten: bool) -> Option<String> {
    let mut notes = Vec::new();
    if body.cut {
        notes.push(format!("only the first {} bytes are here", body.content.len()));
    }
    notes.extend(body.undecoded.clone());
    if rewritten {
        notes.push("the receiver got a rewritten body".to_owned());
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}
