//! `report.json`, and `--reporter json`: the whole report, for programs.

use std::path::Path;

use colobus_model::Report;

pub(crate) fn report_json(report: &Report, _folder: &Path) -> String {
    // Plain data with string keys: serialisation has nothing to fail on.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
