//! HAR 1.2 files of captured traffic, with WebSocket messages as Chromium's developer tools write and read them. Pure: the
//! caller writes the text wherever it belongs.

mod content;
mod entry;

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::capture::Capture;
use crate::redact::Redaction;

/// The traffic of one client, and its name.
#[derive(Debug, Clone, Copy)]
pub struct ClientTraffic<'c> {
    pub name: &'c str,
    pub capture: &'c Capture,
}

/// The text of a HAR file: a page per client, an entry per exchange, in the order in which the requests arrived.
///
/// Secrets are left out as `redaction` says, together with the values that the traffic itself shows to be secret.
pub fn har(clients: &[ClientTraffic], redaction: &Redaction, version: &str) -> String {
    let redaction = clients.iter().fold(redaction.clone(), |all, client| all.values_of(client.capture));
    let mut entries: Vec<(SystemTime, Value)> = Vec::new();
    for client in clients {
        for exchange in &client.capture.exchanges {
            entries.push((exchange.started, entry::entry(client, exchange, &redaction)));
        }
    }
    entries.sort_by_key(|(started, _)| *started);
    let entries: Vec<Value> = entries.into_iter().map(|(_, entry)| entry).collect();
    let left_out: u64 = clients.iter().map(|client| client.capture.left_out).sum();
    let mut log = json!({
        "version": "1.2",
        "creator": { "name": "Colobus", "version": version },
        "pages": clients.iter().map(page).collect::<Vec<_>>(),
        "entries": entries,
    });
    if left_out > 0 {
        let comment = format!("{left_out} bodies and messages were left out: the traffic was too large to keep");
        log["comment"] = json!(comment);
    }
    let mut text = json!({ "log": log }).to_string();
    text.push('\n');
    text
}

fn page(client: &ClientTraffic) -> Value {
    let first = client.capture.exchanges.iter().map(|exchange| exchange.started).min();
    let started = first.unwrap_or(SystemTime::UNIX_EPOCH);
    let title = format!("client {}", client.name);
    json!({ "startedDateTime": date(started), "id": client.name, "title": title, "pageTimings": {} })
}

fn date(time: SystemTime) -> String {
    humantime::format_rfc3339_millis(time).to_string()
}

/// Seconds since 1970, as the developer tools count.
fn seconds(time: SystemTime) -> f64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Microseconds are as exact as clocks are.
    since.as_micros() as f64 / 1e6
}

#[cfg(test)]
mod tests;
