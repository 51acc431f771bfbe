//! The files of a run's report. Each is written beside its place and then renamed, so that a reader, or a machine that
//! dies, never leaves half of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use colobus_model::Report;

use crate::json::report_json;
use crate::{ReportError, html_page, junit_xml};

pub(crate) const REPORT_JSON: &str = "report.json";
pub(crate) const REPORT_HTML: &str = "report.html";
pub(crate) const JUNIT_XML: &str = "junit.xml";

/// Writes `report.json`, `report.html` and `junit.xml` into `folder`. The page shows the trace and the screenshots of each
/// finding that are in `folder/<id>/`; what is missing there is missing on the page, and said so.
pub fn write_files(report: &Report, folder: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(folder).map_err(|error| ReportError::writing(folder, error))?;
    // The data first: if the disk fills up, the most important file is there.
    write_atomically(&folder.join(REPORT_JSON), report_json(report, folder)?.as_bytes())?;
    write_atomically(&folder.join(JUNIT_XML), junit_xml(report, folder).as_bytes())?;
    write_atomically(&folder.join(REPORT_HTML), html_page(report, folder)?.as_bytes())
}

/// Replaces the file at `path` in one step.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".partial");
    let partial = path.with_file_name(name);
    let result = write_and_rename(&partial, path, content);
    result.map_err(|error| {
        // What is left of a failed attempt would only take space; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&partial);
        ReportError::writing(path, error)
    })
}

fn write_and_rename(partial: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(partial)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(partial, path)
}

/// Reads the `report.json` of the run in `folder`.
pub fn read_report(folder: &Path) -> Result<Report, ReportError> {
    let path = folder.join(REPORT_JSON);
    let text = fs::read_to_string(&path).map_err(|error| ReportError::reading(&path, error))?;
    serde_json::from_str(&text).map_err(|error| ReportError::Malformed { path, reason: error.to_string() })
}
