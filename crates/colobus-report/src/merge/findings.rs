//! The findings of all shards in one list: equal ones joined, the shortest first, numbered anew.

use colobus_model::{Case, CheckId, DifferenceKind, Finding, Report};

/// Where a joined finding came from: its trace and screenshots are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Index of the report among the arguments.
    pub report: usize,
    pub finding: usize,
}

/// The joined findings with their sources, in the same order. Root causes are not filled in.
pub(super) fn joined_findings(parts: &[(usize, &Report)]) -> (Vec<Finding>, Vec<Source>) {
    let mut all: Vec<(Finding, Source)> = Vec::new();
    for (index, report) in parts {
        for finding in &report.findings {
            all.push((finding.clone(), Source { report: *index, finding: finding.id }));
        }
    }
    // Of equal findings the one that comes back most often is first, and stays; the rest of the order only has to be fixed.
    all.sort_by(|(a, _), (b, _)| {
        let order = identity(a).cmp(&identity(b));
        order
            .then_with(|| dependability(b).total_cmp(&dependability(a)))
            .then_with(|| (line(a), &a.difference.summary, a.id).cmp(&(line(b), &b.difference.summary, b.id)))
    });
    all.dedup_by(|(later, _), (kept, _)| {
        let equal = identity(later) == identity(kept);
        if equal {
            kept.failures += later.failures;
        }
        equal
    });
    for (id, (finding, _)) in (1..).zip(&mut all) {
        finding.id = id;
        finding.trace = format!("{id}/trace.json");
        finding.traffic = finding.traffic.take().map(|_| format!("{id}/traffic.har"));
    }
    all.into_iter().unzip()
}

/// What makes two findings equal; also their order.
fn identity(finding: &Finding) -> (usize, Case, &str, &CheckId, DifferenceKind) {
    let case = finding.case();
    (case.prefix_length(), case, &finding.cause, &finding.check, finding.difference.kind)
}

fn line(finding: &Finding) -> Option<&str> {
    finding.interaction().map(|found| found.line.as_str())
}

fn dependability(finding: &Finding) -> f64 {
    finding.reproduced as f64 / finding.attempts.max(1) as f64
}
