//! [`BugReport`]: everything that is sent, as one JSON text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugReport {
    /// What the user says.
    pub note: String,
    /// The recorded session, as its file has it.
    pub recording: String,
    /// The last page, as PNG.
    pub picture: Option<Vec<u8>>,
    pub versions: Versions,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    pub colobus: String,
    pub browser: Option<String>,
    pub system: String,
}

#[derive(Debug, thiserror::Error)]
pub enum BugReportError {
    #[error("this is nothing that `colobus send` has written: {0}")]
    Malformed(String),
    #[error("the file has version {0}, and this colobus reads version {VERSION}: install a newer one")]
    Version(u32),
    #[error("the report cannot be written as JSON: {0}; please report this")]
    Unwritable(serde_json::Error),
}

/// As it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    colobus_bug_report: u32,
    note: String,
    versions: Versions,
    recording: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

impl BugReport {
    pub fn to_json(&self) -> Result<String, BugReportError> {
        let written = Written {
            colobus_bug_report: VERSION,
            note: self.note.clone(),
            versions: self.versions.clone(),
            recording: self.recording.clone(),
            picture: self.picture.as_ref().map(|bytes| STANDARD.encode(bytes)),
        };
        Ok(serde_json::to_string_pretty(&written).map_err(BugReportError::Unwritable)? + "\n")
    }

    pub fn from_json(text: &[u8]) -> Result<BugReport, BugReportError> {
        let malformed = |error: &dyn std::fmt::Display| BugReportError::Malformed(error.to_string());
        let written: Written = serde_json::from_slice(text).map_err(|error| malformed(&error))?;
        if written.colobus_bug_report != VERSION {
            return Err(BugReportError::Version(written.colobus_bug_report));
        }
        let picture =
            written.picture.map(|text| STANDARD.decode(text)).transpose().map_err(|error| malformed(&error))?;
        Ok(BugReport { note: written.note, recording: written.recording, picture, versions: written.versions })
    }
}
