//! What a check found, as data; [`crate::text`] prints it.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::laws::{Claim, Law, Step, Violation};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Violated,
    /// Nothing was tried.
    Unknown,
}

#[derive(Clone, Debug, Serialize)]
pub struct LawReport {
    pub law: &'static str,
    pub statement: &'static str,
    /// Whether a violation fails the check.
    pub claimed: bool,
    /// Whether the type has what the law speaks of.
    pub applicable: bool,
    pub verdict: Verdict,
    /// Cases of the exhaustive part, and whether they were all there are within the description.
    pub cases: u64,
    pub complete: bool,
    pub random_cases: u64,
    /// Random draws, those included that met a document on which nothing can be done.
    pub random_drawn: u64,
    /// Calls of the type's functions to evaluate the law; those that find out which operations fit are not counted.
    pub calls: u64,
    pub counterexample: Option<Counterexample>,
}

impl LawReport {
    pub fn new(law: &dyn Law, claim: Claim) -> LawReport {
        LawReport {
            law: law.id(),
            statement: law.statement(),
            claimed: claim == Claim::Claimed,
            applicable: claim != Claim::Absent,
            verdict: Verdict::Unknown,
            cases: 0,
            complete: false,
            random_cases: 0,
            random_drawn: 0,
            calls: 0,
            counterexample: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Found {
    Exhaustive,
    Random,
    Given,
}

/// A case that violates a law, with every call and result. It can be given back as input.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    pub law: String,
    #[serde(flatten)]
    pub case: Case,
    pub found: Found,
    /// The case before shrinking, where shrinking changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Case>,
    #[serde(flatten)]
    pub violation: Option<Violation>,
    pub steps: Vec<Step>,
}

/// A case to check directly: the part of a counterexample that decides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GivenCase {
    pub law: String,
    #[serde(flatten)]
    pub case: Case,
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub verdict: Verdict,
    /// Always `library`: real code was run, no model of it.
    pub model: &'static str,
    pub r#type: String,
    pub description: String,
    pub seed: u64,
    /// Clients around the server in the convergence law.
    pub sites: usize,
    /// Operations in the cases of the law that has most of them.
    pub ops: usize,
    /// Cases tried, over all laws.
    pub explored: u64,
    /// Cases that the search produced, random ones that fit no document included.
    pub computed: u64,
    /// Figures of the models for transformation functions; a library has no such orders and traces.
    pub orders: Option<u64>,
    pub traces: Option<u64>,
    /// Calls of the type's functions to evaluate the laws.
    pub evaluations: u64,
    pub seconds: f64,
    /// The smallest violation of a claimed law.
    pub counterexample: Option<Counterexample>,
    pub laws: Vec<LawReport>,
}

impl Report {
    /// Whether a law that counts is violated.
    pub fn is_violated(&self) -> bool {
        self.verdict == Verdict::Violated
    }
}
