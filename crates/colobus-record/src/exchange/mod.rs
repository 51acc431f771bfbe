//! Recordings in the formats of others: Chrome's Recorder ([`Format::Recorder`]) and Selenium IDE ([`Format::Side`]), both
//! ways, and Playwright tests ([`Format::Playwright`]), which are only written. What a format cannot say stands in it as a
//! comment that holds the line as it is, so that reading it again brings the line back; and it is a warning.

mod playwright;
mod recorder;
mod selector;
mod side;

use serde_json::Value;

use crate::{Recording, Who};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The JSON of the Recorder panel in Chrome's developer tools.
    Recorder,
    Playwright,
    /// A project of Selenium IDE.
    Side,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Playwright, Format::Recorder, Format::Side];

    /// What `colobus export --to` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Playwright => "playwright",
            Format::Recorder => "recorder",
            Format::Side => "side",
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            Format::Playwright => "Playwright's own test runner (@playwright/test)",
            Format::Recorder => "the Recorder of Chrome's developer tools, and @puppeteer/replay; for recordings",
            Format::Side => "Selenium IDE; for recordings",
        }
    }
}

/// A text in another format, and what it does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub text: String,
    pub warnings: Vec<String>,
}

/// What another format says, and what was not understood of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    pub recording: Recording,
    pub warnings: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("this is not JSON: {0}")]
    NoJson(serde_json::Error),
    #[error(
        "this is neither a recording of Chrome's Recorder (an object with `steps`) nor a project of Selenium IDE (one with `tests`)"
    )]
    Unknown,
}

/// What a tab shows after a recording was performed, and shows again when it is performed once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAtEnd {
    pub who: Who,
    pub lines: Vec<String>,
}

pub fn export(recording: &Recording, format: Format, title: &str) -> Exported {
    export_with(recording, format, title, &[])
}

/// The same, with assertions on what pages show at the end, in formats that have them.
pub fn export_with(recording: &Recording, format: Format, title: &str, shown: &[ShownAtEnd]) -> Exported {
    match format {
        Format::Recorder => recorder::write(recording, title),
        Format::Playwright => playwright::write(recording, title, shown),
        Format::Side => side::write(recording, title),
    }
}

/// Reads a file of Chrome's Recorder or Selenium IDE, whichever it is.
pub fn import(text: &str) -> Result<Imported, ImportError> {
    let json: Value = serde_json::from_str(text).map_err(ImportError::NoJson)?;
    match (json["steps"].as_array(), json["tests"].as_array()) {
        (Some(steps), _) => Ok(recorder::read(steps)),
        (_, Some(tests)) => Ok(side::read(&json, tests)),
        _ => Err(ImportError::Unknown),
    }
}

fn pretty(json: &Value) -> String {
    format!("{json:#}\n")
}

/// Collects what a format cannot say.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Warnings {
    fn line(&mut self, number: usize, what: &str) {
        self.0.push(format!("line {number}: {what}"));
    }

    /// Formats for a single user and tab say nothing of the others.
    fn others(&mut self, recording: &Recording) {
        let others = recording.lines.iter().filter(|line| line.who.client > 0).count();
        if others > 0 {
            self.0.push(format!("{others} lines of other users are only comments: the format has one user"));
        }
    }
}
