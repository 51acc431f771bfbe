//! HAR captures of Chrome, Firefox, Playwright, mitmproxy and others. Produces [`Exchange`]s; what an entry lacks is a
//! note, what is no HAR is an error.

mod entry;

use serde_json::Value;

use crate::exchange::Exchange;
use entry::Entry;

/// What a capture holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    pub exchanges: Vec<Exchange>,
    /// Entries, or parts of them, that could not be used.
    pub notes: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum HarError {
    #[error("the file ends in the middle, at line {line}; record it again, or copy it completely")]
    Truncated { line: usize },
    #[error("line {line}, column {column}: this is not JSON ({reason}); save the capture as HAR")]
    NoJson { line: usize, column: usize, reason: String },
    #[error("this is JSON, but no HAR: it has no list `log.entries`; save the capture as HAR")]
    NoHar,
}

/// Reads a capture.
pub fn read(content: &[u8]) -> Result<Capture, HarError> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let har: Value = serde_json::from_slice(content).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => HarError::Truncated { line: error.line() },
        _ => HarError::NoJson { line: error.line(), column: error.column(), reason: error.to_string() },
    })?;
    let Some(Value::Array(entries)) = har.pointer("/log/entries") else { return Err(HarError::NoHar) };
    let mut capture = Capture::default();
    for (number, value) in entries.iter().enumerate() {
        match serde_json::from_value::<Entry>(value.clone()) {
            Ok(entry) => {
                let (exchange, notes) = entry.exchange();
                capture.exchanges.push(exchange);
                capture.notes.extend(notes.into_iter().map(|note| format!("entry {}: {note}", number + 1)));
            }
            Err(error) => capture.notes.push(format!("entry {} was left out: {error}", number + 1)),
        }
    }
    Ok(capture)
}
