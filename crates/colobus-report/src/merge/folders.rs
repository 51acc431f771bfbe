//! Joins the folders of shards: their reports, and the traces and screenshots of the findings that stay.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use colobus_model::Report;

use super::{MergeError, merge_with_sources, missing_shards};
use crate::{ReportError, read_report, write_files};

/// What became of the folders of a search.
#[derive(Debug)]
pub struct Merged {
    pub report: Report,
    /// Which shards were not among them, as a sentence.
    pub missing: Option<String>,
}

/// Reads the reports of `inputs`, joins them, copies the folder of each finding to `out` under its new number and writes
/// the files of the joined report there, once `mark` has said which of its causes are known.
pub fn merge_folders(inputs: &[PathBuf], out: &Path, mark: impl FnOnce(&mut Report)) -> Result<Merged, MergeError> {
    let same_place =
        |input: &&PathBuf| fs::canonicalize(input).ok().is_some_and(|input| fs::canonicalize(out).ok() == Some(input));
    if let Some(input) = inputs.iter().find(same_place) {
        return Err(MergeError::IntoItself(input.clone()));
    }
    let reports = inputs.iter().map(|input| read_report(input)).collect::<Result<Vec<_>, _>>()?;
    let (mut report, sources) = merge_with_sources(&reports)?;
    mark(&mut report);
    for (finding, source) in report.findings.iter().zip(&sources) {
        let from = inputs[source.report].join(source.finding.to_string());
        copy_files(&from, &out.join(finding.id.to_string()))?;
    }
    write_files(&report, out)?;
    let missing = missing_shards(&reports.iter().collect::<Vec<_>>());
    Ok(Merged { report, missing })
}

/// A finding's folder holds files only; a folder that is not there leaves a finding without evidence, which the report says.
fn copy_files(from: &Path, to: &Path) -> Result<(), ReportError> {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(|error| ReportError::reading(from, error))?,
    };
    fs::create_dir_all(to).map_err(|error| ReportError::writing(to, error))?;
    for entry in entries {
        let path = entry.map_err(|error| ReportError::reading(from, error))?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file()) else { continue };
        let target = to.join(name);
        fs::copy(&path, &target).map_err(|error| ReportError::writing(&target, error))?;
    }
    Ok(())
}
