//! `expect.toml` of an application from npm: runs of the tool, and what each must find.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use colobus_model::{DifferenceKind, Finding, Report};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
}

/// One run of `colobus check` and its result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Whether it takes seconds only.
    #[serde(default)]
    pub short: bool,
    pub arguments: Vec<String>,
    pub equivalence_classes: Option<usize>,
    /// The fewest findings; 0 if it is left out.
    #[serde(default)]
    pub at_least: usize,
    /// The most findings.
    pub at_most: Option<usize>,
    /// The checks that may fail; every other one must not.
    #[serde(default)]
    pub fails: BTreeSet<String>,
    /// Findings that must be among those of the run.
    #[serde(default)]
    pub finding: Vec<Expected>,
}

/// A finding of a run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub check: String,
    /// Any kind if it is left out.
    pub kind: Option<DifferenceKind>,
    pub prefix: Vec<String>,
    /// In any order.
    pub concurrent: Vec<String>,
}

impl Expectation {
    pub fn read(path: &Path) -> Expectation {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

impl Run {
    /// Everything about the report that is not as expected, for people.
    pub fn surprises(&self, report: &Report) -> Vec<String> {
        let mut surprises = Vec::new();
        let found = report.findings.len();
        if report.counts.interactions.judged == 0 {
            surprises.push("nothing was judged".to_string());
        }
        if report.stopped.is_some() || report.counts.interactions.unknown > 0 {
            surprises.push(format!("not everything was judged: {:?} {:?}", report.stopped, report.unknown));
        }
        if let Some(classes) = self.equivalence_classes.filter(|classes| *classes != report.counts.equivalence_classes)
        {
            surprises.push(format!("{} equivalence classes instead of {classes}", report.counts.equivalence_classes));
        }
        if found < self.at_least || self.at_most.is_some_and(|most| found > most) {
            surprises.push(format!("{found} findings"));
        }
        for finding in report.findings.iter().filter(|finding| !self.fails.contains(finding.check.as_str())) {
            surprises.push(format!("unexpected: {}", describe(finding)));
        }
        for finding in report.findings.iter().filter(|finding| finding.reproduced < finding.attempts) {
            surprises.push(format!("not every time: {}", describe(finding)));
        }
        for expected in self.finding.iter().filter(|expected| !report.findings.iter().any(|found| expected.is(found))) {
            surprises.push(format!("not found: {expected:?}"));
        }
        surprises
    }
}

impl Expected {
    fn is(&self, finding: &Finding) -> bool {
        let sorted = |names: &[String]| {
            let mut names: Vec<String> = names.iter().map(|name| whole(name).to_string()).collect();
            names.sort();
            names
        };
        let same_actions = sorted(&finding.interaction().unwrap().concurrent) == sorted(&self.concurrent);
        let same_kind = self.kind.is_none_or(|kind| kind == finding.difference.kind);
        let same_prefix = finding.interaction().unwrap().prefix == self.prefix;
        same_kind && finding.check.as_str() == self.check && same_prefix && same_actions
    }
}

/// The name of an action, also if a reduction left only some of its steps: `join[2]`.
fn whole(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map_or(name, |(name, _)| name)
}

fn describe(finding: &Finding) -> String {
    let Finding { check, difference, reproduced, attempts, .. } = finding;
    format!("{check} in {}: {} ({reproduced} of {attempts})", finding.case(), difference.summary)
}

#[test]
fn a_run_that_judged_nothing_is_a_surprise() {
    let control: Expectation = toml::from_str("[[run]]\narguments = []\nat_most = 0\n").unwrap();
    assert_eq!(control.runs[0].surprises(&Report::default()), ["nothing was judged"]);
}
