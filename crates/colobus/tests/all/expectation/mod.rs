//! `expect.toml` of a subject: what a search must find in it, and what it must not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use colobus_model::{Aspect, DifferenceKind, Finding, Report, Trace};
use serde::Deserialize;

/// A whole `expect.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    pub correct: Correct,
    #[serde(rename = "bug")]
    pub bugs: Vec<SeededBug>,
    pub agreed: Vec<AgreedBug>,
    pub tour: Vec<TourBug>,
}

/// A bug of the tour, which is searched with all five at once.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TourBug {
    pub name: String,
    /// The one pair of actions that shows it.
    pub concurrent: Vec<String>,
    /// The name of its cause.
    pub cause: String,
}

/// A bug with which all clients agree on a wrong result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreedBug {
    pub name: String,
    pub depth: usize,
    pub actions: Vec<String>,
    pub check: String,
    pub kind: DifferenceKind,
    /// The name of its cause.
    pub cause: String,
}

/// The subject without bugs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correct {
    pub findings: usize,
}

/// The subject with one bug alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeededBug {
    pub name: String,
    /// What has to be asked of a search besides its depth.
    #[serde(default)]
    pub flags: Vec<String>,
    pub depth: usize,
    /// The shortest prefix.
    pub prefix: Vec<String>,
    /// In any order.
    pub concurrent: Vec<String>,
    /// What differs between the clients; the rest is equal.
    pub differs: BTreeSet<Aspect>,
    /// The name of its cause.
    pub cause: String,
}

impl Expectation {
    pub fn read(path: &Path) -> Expectation {
        let text = fs::read_to_string(path).unwrap();
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

impl SeededBug {
    /// The actions without which it cannot be found.
    pub fn actions(&self) -> BTreeSet<&String> {
        self.prefix.iter().chain(&self.concurrent).collect()
    }

    /// The finding that this expects.
    pub fn among<'a>(&self, report: &'a Report) -> Option<&'a Finding> {
        let has_prefix = |finding: &&Finding| finding.interaction().unwrap().prefix == self.prefix;
        let is_this = |finding: &&Finding| finding.cause == self.cause && is_of(finding, &self.concurrent);
        report.findings.iter().filter(has_prefix).find(is_this)
    }
}

impl AgreedBug {
    /// The finding that this expects.
    pub fn among<'a>(&self, report: &'a Report) -> Option<&'a Finding> {
        let judged = |finding: &Finding| (finding.check.as_str(), finding.difference.kind) == (&self.check, self.kind);
        report.findings.iter().find(|finding| judged(finding) && finding.cause == self.cause)
    }
}

impl TourBug {
    /// The finding that this expects.
    pub fn among<'a>(&self, report: &'a Report) -> Option<&'a Finding> {
        report.findings.iter().find(|finding| finding.cause == self.cause && is_of(finding, &self.concurrent))
    }
}

/// Whether these actions meet in a finding, in any order.
fn is_of(finding: &Finding, concurrent: &[String]) -> bool {
    let whole = |names: &[String]| names.iter().map(|name| whole(name).to_string()).collect::<BTreeSet<String>>();
    whole(&finding.interaction().unwrap().concurrent) == whole(concurrent)
}

/// The name of an action, also if a reduction left only some of its steps: `bold[1+3]`.
fn whole(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map_or(name, |(name, _)| name)
}

/// What the clients of a trace differ in.
pub fn differences(trace: &Trace) -> BTreeSet<Aspect> {
    let mut differences = BTreeSet::new();
    for pair in trace.observations.windows(2) {
        // Different files can be equal pictures, but equal ones cannot differ.
        if pair[0].screenshot != pair[1].screenshot {
            differences.insert(Aspect::Pixels);
        }
        if pair[0].dom != pair[1].dom {
            differences.insert(Aspect::Dom);
        }
        if pair[0].state != pair[1].state {
            differences.insert(Aspect::State);
        }
    }
    differences
}
