//! `report.json`, and `--reporter json`: the whole report, for programs.

use std::path::Path;

use colobus_model::Report;

use crate::at_end::AtEnd;
use crate::{Output, ReportError, Reporter};

/// The report as JSON on standard output, at the end.
pub(crate) const JSON: Reporter = Reporter {
    name: "json",
    describe: "the report as JSON on standard output",
    output: Output::ForPrograms,
    renderer: |out, _| Box::new(AtEnd::new(out, report_json)),
};

pub(crate) fn report_json(report: &Report, folder: &Path) -> Result<String, ReportError> {
    let text = serde_json::to_string_pretty(report);
    let text = text.map_err(|source| ReportError::Serialize { folder: folder.to_path_buf(), source })?;
    Ok(text + "\n")
}
