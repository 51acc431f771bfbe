//! `report.json`, and `--reporter json`: the whole report, for programs.

use std::path::Path;

use colobus_model::Report;
use colobus_model::foreign::shown;

use crate::at_end::AtEnd;
use crate::{Output, ReportError, Reporter};

/// The report as JSON on standard output, at the end. Standard output may be a terminal, so that texts of pages have escapes in them.
pub(crate) const JSON: Reporter = Reporter {
    name: "json",
    describe: "the report as JSON on standard output",
    output: Output::ForPrograms,
    renderer: |out, _| Box::new(AtEnd::new(out, |report, folder| Ok(shown(&report_json(report, folder)?)))),
};

pub(crate) fn report_json(report: &Report, folder: &Path) -> Result<String, ReportError> {
    let text = serde_json::to_string_pretty(report);
    let text = text.map_err(|source| ReportError::Serialize { folder: folder.to_path_buf(), source })?;
    Ok(text + "\n")
}
