//! `report.html`: the viewer's page with everything inlined. All data is in one JSON block, which the viewer's
//! script reads and shows as text only; a content security policy allows that script by its hash and no network.

mod embedding;
mod evidence;
mod images;
mod line_difference;

use std::path::Path;

use colobus_model::Report;
use serde::Serialize;

use crate::{ReportError, replay_command, replay_line};
use embedding::{embedded_json, policy};
use evidence::{Evidence, gather};
use images::Images;

const PAGE: &str = include_str!("../../../viewer/report.html");
const STYLE: &str = concat!(
    include_str!("../../../viewer/base.css"),
    include_str!("../../../viewer/summary.css"),
    include_str!("../../../viewer/cause.css"),
    include_str!("../../../viewer/lanes.css"),
    include_str!("../../../viewer/script.css"),
    include_str!("../../../viewer/pictures.css"),
    include_str!("../../../viewer/lines.css"),
);
/// The viewer's scripts share one scope, in this order.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../../../viewer/element.js"),
    include_str!("../../../viewer/theme.js"),
    include_str!("../../../viewer/case.js"),
    include_str!("../../../viewer/summary.js"),
    include_str!("../../../viewer/lanes.js"),
    include_str!("../../../viewer/orders.js"),
    include_str!("../../../viewer/script.js"),
    include_str!("../../../viewer/reversal.js"),
    include_str!("../../../viewer/pictures.js"),
    include_str!("../../../viewer/lines.js"),
    include_str!("../../../viewer/cause.js"),
    include_str!("../../../viewer/page.js"),
    "})();\n",
);

/// What the viewer reads.
#[derive(Serialize)]
struct Data<'a> {
    report: &'a Report,
    /// One per finding, in the same order.
    evidence: Vec<Evidence>,
    /// The line that reproduces each finding, in the same order.
    commands: Vec<String>,
    /// The lines that reproduce the findings without any file of the run.
    lines: Vec<Option<String>>,
    /// Data URIs of the pictures that evidence points at.
    images: Vec<String>,
}

/// The self-contained page of a report. Traces and screenshots are read from `folder/<id>/`; what cannot be read is told
/// on the page instead of failing the report.
pub fn html_page(report: &Report, folder: &Path) -> Result<String, ReportError> {
    let mut images = Images::default();
    let evidence =
        in_order_of_importance(report).map(|index| (index, gather(folder, &report.findings[index], &mut images)));
    let mut evidence: Vec<(usize, Evidence)> = evidence.collect();
    evidence.sort_by_key(|(index, _)| *index);
    let data = Data {
        report,
        evidence: evidence.into_iter().map(|(_, evidence)| evidence).collect(),
        lines: report.findings.iter().map(|finding| replay_line(report, finding)).collect(),
        commands: report
            .findings
            .iter()
            .map(|finding| replay_command(folder, finding.id, &report.configuration))
            .collect(),
        images: images.into_data_uris(),
    };
    let json =
        embedded_json(&data).map_err(|source| ReportError::Serialize { folder: folder.to_path_buf(), source })?;
    Ok(fill(&json))
}

/// Indices of the findings, the first of every root cause before all others: pictures are embedded up to a limit.
fn in_order_of_importance(report: &Report) -> impl Iterator<Item = usize> {
    let is_first = |index: &usize| {
        let id = report.findings[*index].id;
        report.root_causes.iter().any(|cause| cause.findings.first() == Some(&id))
    };
    let (first, others): (Vec<usize>, Vec<usize>) = (0..report.findings.len()).partition(is_first);
    first.into_iter().chain(others)
}

/// The page with its slots filled. The slots are filled from a list of pieces, never by replacing text in data.
fn fill(json: &str) -> String {
    let slots = [
        ("<!-- policy -->", policy(SCRIPT)),
        ("<!-- style -->", format!("<style>\n{STYLE}</style>")),
        ("<!-- data -->", format!("<script type=\"application/json\" id=\"data\">{json}</script>")),
        ("<!-- script -->", format!("<script>{SCRIPT}</script>")),
    ];
    let mut page = String::new();
    let mut rest = PAGE;
    for (slot, content) in &slots {
        let (before, after) = rest.split_once(slot).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(content);
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_slot_once_and_in_order() {
        let slots = ["<!-- policy -->", "<!-- style -->", "<!-- data -->", "<!-- script -->"];
        let places: Vec<usize> = slots.iter().map(|slot| PAGE.find(slot).expect(slot)).collect();
        assert!(places.is_sorted());
        assert!(slots.iter().all(|slot| PAGE.matches(slot).count() == 1));
    }

    #[test]
    fn the_viewer_never_makes_markup_of_data() {
        for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("] {
            assert!(!SCRIPT.contains(way), "the viewer uses {way}");
        }
        assert!(!SCRIPT.contains("</script"), "the script would end early");
        assert!(!STYLE.contains("</style"), "the style would end early");
    }
}
