//! [`LogEntry`]: what goes wrong in a page: exceptions, errors on the console, requests that fail.

use serde_json::Value;

use super::page_events::PageEvents;
use crate::protocol::{log, runtime};

/// More than these are not kept: a page may produce them without end.
const MOST: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    pub kind: LogKind,
    pub text: String,
    /// Address, line and column, as far as they are known.
    pub place: Option<String>,
    /// Whether it came after [`super::Page::begin_concurrent`].
    pub during_concurrent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// An exception or a rejection that page code does not catch.
    Uncaught,
    /// `console.error` or a failed `console.assert` of page code.
    Console,
    /// An error that the browser itself writes to the console.
    Logged,
    /// The browser logs that a request or a socket got no connection, or lost it.
    NoConnection,
    /// The browser logs that the server refused a request with this status.
    Refused(u16),
    /// A request failed, or was answered with this status.
    FailedRequest { status: Option<u16> },
}

impl PageEvents {
    pub(super) fn add_log_entry(&self, kind: LogKind, text: String, place: Option<String>) {
        let mut state = self.state();
        let during_concurrent = state.concurrent;
        if state.log_entries.len() < MOST {
            state.log_entries.push(LogEntry { kind, text, place, during_concurrent });
        }
    }

    pub(super) fn exception(&self, details: &runtime::ExceptionDetails) {
        let thrown = details.exception.as_ref();
        let description = thrown.and_then(|thrown| thrown.description.as_deref());
        let text = match (description, thrown.and_then(|thrown| thrown.value.as_ref())) {
            (Some(description), _) => first_line(description),
            (None, Some(Value::String(text))) => text.clone(),
            (None, Some(value)) => value.to_string(),
            (None, None) => details.text.clone(),
        };
        let place = place(details.url.as_deref(), details.line_number, details.column_number);
        self.add_log_entry(LogKind::Uncaught, text, place);
    }

    pub(super) fn console(&self, called: &runtime::ConsoleApiCalled) {
        if called.r#type != "error" && called.r#type != "assert" {
            return;
        }
        let text: Vec<String> = called.args.iter().map(printed).collect();
        let frame = called.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
        let place = frame.and_then(|frame| place(Some(&frame.url), frame.line_number, frame.column_number));
        self.add_log_entry(LogKind::Console, text.join(" "), place);
    }

    pub(super) fn logged(&self, entry: &log::Entry) {
        if entry.level == "error" {
            let kind = match refusal(entry) {
                Some(status) => LogKind::Refused(status),
                // The protocol has no field for it: the browser ends its message with the name of the error.
                None if entry.text.contains("net::ERR_") => LogKind::NoConnection,
                None => LogKind::Logged,
            };
            self.add_log_entry(kind, entry.text.clone(), entry.url.clone());
        }
    }
}

/// The status with which the server refused a request, if that is what the browser logs.
fn refusal(entry: &log::Entry) -> Option<u16> {
    let text = Some(&entry.text).filter(|_| entry.source == "network")?;
    let (_, status) = text.split_once("status of ")?;
    status.split(' ').next()?.parse().ok()
}

/// `url:line:column`, counted from one.
fn place(url: Option<&str>, line: i64, column: i64) -> Option<String> {
    let url = url.filter(|url| !url.is_empty())?;
    Some(format!("{url}:{}:{}", line + 1, column + 1))
}

fn printed(argument: &runtime::RemoteObject) -> String {
    match (&argument.value, &argument.description) {
        (Some(Value::String(text)), _) => text.clone(),
        (None | Some(Value::Null), Some(description)) => first_line(description),
        (Some(value), _) => value.to_string(),
        (None, None) => "null".to_string(),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}
