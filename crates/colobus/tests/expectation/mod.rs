//! `expect.toml` of a subject: what a search must find in it, and what it must not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use colobus_trace::{Aspect, Finding, Report, Trace};
use serde::Deserialize;

/// A whole `expect.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    pub correct: Correct,
    #[serde(rename = "bug")]
    pub bugs: Vec<SeededBug>,
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
    /// What has to be searched besides pairs in their natural order.
    pub needs: Option<String>,
    pub depth: usize,
    /// The shortest prefix.
    pub prefix: Vec<String>,
    /// In any order.
    pub concurrent: Vec<String>,
    /// What differs between the clients; the rest is equal.
    pub differs: BTreeSet<Aspect>,
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
        let sorted = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
        report
            .findings
            .iter()
            .find(|finding| finding.prefix == self.prefix && sorted(&finding.concurrent) == sorted(&self.concurrent))
    }
}

/// What two clients of a trace differ in.
pub fn differences(trace: &Trace) -> BTreeSet<Aspect> {
    let [one, other] = &trace.observations[..] else { panic!("two clients are compared") };
    let mut differences = BTreeSet::new();
    // Different files can be equal pictures, but equal ones cannot differ.
    if one.screenshot != other.screenshot {
        differences.insert(Aspect::Pixels);
    }
    if one.dom != other.dom {
        differences.insert(Aspect::Dom);
    }
    if one.state != other.state {
        differences.insert(Aspect::State);
    }
    differences
}
