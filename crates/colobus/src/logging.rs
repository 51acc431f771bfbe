//! The log: what is said to the browsers, what the gates decide and how long settling takes, in a file beside the results.
//! [`start`] is the only place that turns it on (`--log`); every crate writes to it with `tracing`. Secrets never reach the
//! file: [`hide`] names them, and the protocol leaves out bodies that can hold them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use colobus_record::without_secrets;
use tracing::level_filters::LevelFilter;

use crate::output::tell;

/// The name of the file, where results have a folder.
pub const LOG_FILE: &str = "colobus.log";

/// How much is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Documents that begin and settle
    Info,
    /// Also every message of the protocol, and every decision of the gates
    Debug,
    /// Also the beginnings of protocol messages
    Trace,
}

/// Variables and their values, which must not be written.
static SECRETS: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Writes the log to this file from now on. What was there is replaced.
pub fn start(level: LogLevel, path: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write the log {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    let file = Arc::new(File::create(path).with_context(cannot)?);
    let level = match level {
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let writer = move || LogFile { file: file.clone() };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_writer(writer)
        .try_init()
        .map_err(|error| anyhow!("the log cannot be started: {error}"))?;
    tell(&format!("log: {}", path.display()));
    Ok(())
}

/// Keeps the values of these variables out of the log.
pub fn hide(secrets: &[(String, String)]) {
    SECRETS.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(secrets);
}

/// Where lines go, each in one piece.
struct LogFile {
    file: Arc<File>,
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let secrets = SECRETS.lock().unwrap_or_else(PoisonError::into_inner);
        if secrets.is_empty() {
            (&*self.file).write_all(line)?;
        } else {
            let text = String::from_utf8_lossy(line);
            (&*self.file).write_all(without_secrets_or_their_beginnings(&text, &secrets).as_bytes())?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.file).flush()
    }
}

/// Bodies end with `…` where they were cut, maybe in the middle of a secret.
fn without_secrets_or_their_beginnings(text: &str, secrets: &[(String, String)]) -> String {
    let mut clean = String::new();
    let whole = without_secrets(text, secrets);
    let mut parts = whole.split('…').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            clean.push_str(part);
        } else {
            let beginning = |value: &String| {
                let ends = value.char_indices().skip(1).map(|(end, _)| end);
                ends.filter(|end| part.ends_with(&value[..*end])).max().unwrap_or(0)
            };
            let hidden = secrets.iter().map(|(_, value)| beginning(value)).max().unwrap_or(0);
            clean.push_str(&part[..part.len() - hidden]);
            clean.push('…');
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_secrets_nor_their_beginnings_are_written() {
        let secrets = [("PASSWORD".to_string(), "grün-7".to_string())];
        let written = |text: &str| without_secrets_or_their_beginnings(text, &secrets);
        assert_eq!(written("a grün-7 b"), "a $PASSWORD b");
        assert_eq!(written("body=\"…\" and grü…\" rest grün"), "body=\"…\" and …\" rest grün");
        assert_eq!(written("nothing"), "nothing");
    }
}
