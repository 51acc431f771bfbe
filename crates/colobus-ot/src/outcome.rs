//! [`Outcome`]: a verdict, how much work it rests on, and the counterexample if there is one.

use serde::Serialize;

use crate::counterexample::Counterexample;

/// What is known about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No violation exists within the bounds of the setting.
    Holds,
    /// There is a violation.
    Violated,
    /// The search ended before it knew.
    Unknown,
}

impl Verdict {
    /// The verdict of a search that found a violation or not, and that was cut short or not.
    pub fn of(violated: bool, limited: bool) -> Self {
        match (violated, limited) {
            (true, _) => Verdict::Violated,
            (false, true) => Verdict::Unknown,
            (false, false) => Verdict::Holds,
        }
    }
}

/// How the executions of a setting are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Per causal order, every trace against one reference.
    Fast,
    /// Traces first, state by state; signatures when they are complete.
    Symbolic,
    /// Signatures chosen and operations executed step by step.
    Concrete,
}

/// The result of a convergence check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The model that was used.
    pub model: Model,
    /// States explored; for the fast model, causal orders judged completely.
    pub explored: u64,
    /// States computed; for the fast model, causal orders enumerated.
    pub computed: u64,
    /// Causal orders met.
    pub orders: u64,
    /// Different traces, summed over the orders.
    pub traces: u64,
    /// Different transformations, summed over the orders; 0 where the model does not share them.
    pub transformations: u64,
    /// Assignments of signatures judged.
    pub evaluations: u64,
    /// Bytes kept for the search, roughly.
    pub memory: u64,
    /// The first violation in the canonical order.
    pub counterexample: Option<Counterexample>,
}

impl Outcome {
    /// The outcome of a search that has not begun.
    pub(crate) fn nothing_yet(model: Model) -> Self {
        Outcome {
            verdict: Verdict::Holds,
            model,
            explored: 0,
            computed: 0,
            orders: 0,
            traces: 0,
            transformations: 0,
            evaluations: 0,
            memory: 0,
            counterexample: None,
        }
    }
}
