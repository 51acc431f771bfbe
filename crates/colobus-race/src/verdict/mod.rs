//! [`Judge`]: whether turning one pair of events round did harm. Compares the final states of an order and of its parent,
//! which differ in that one reversal. Consumes what [`explore`](crate::explore) yields; produces a [`Judgement`] for the
//! report. [`Shrinker`] makes a harmful order small, [`group`] puts those of one cause together.

mod differences;
mod dom;
pub mod filters;
mod group;
mod shrink;

pub use differences::{Differences, Harm};
pub use dom::normalised;
pub use filters::{Effect, Filter, OwnReason, OwnReasons};
pub use group::{SourcePair, group};
use serde::{Deserialize, Serialize};
pub use shrink::{Candidate, Shrinker, Shrunk, shrink};

use crate::explore::{Explored, Reversal, Status};
use crate::model::{EventName, Execution};

/// Two executions that differ in one reversal.
pub struct Comparison<'a> {
    pub parent: &'a Execution,
    pub child: &'a Execution,
    pub reversal: &'a Reversal,
    /// The execution from which the search started, if it is at hand.
    pub recording: Option<&'a Execution>,
    pub differences: Differences,
}

/// What a judge says of one explored order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub outcome: Outcome,
    /// All filters that matched, with why.
    pub labels: Vec<Label>,
    pub differences: Differences,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Harmless,
    /// It differs for a reason that is often intended, and is reported apart from harmful ones.
    Apart,
    Harmful(Vec<Harm>),
    /// Only values of variables differ: reported with lower confidence.
    HeapOnly,
    /// This event did something else than in the parent before anything was turned round. A note, not a finding.
    Diverged(EventName),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    pub filter: String,
    pub explanation: String,
}

/// The filters in force.
pub struct Judge {
    filters: Vec<Box<dyn Filter>>,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge { filters: filters::all() }
    }
}

impl Judge {
    /// Without the filter of this name.
    pub fn without(mut self, name: &str) -> Judge {
        self.filters.retain(|filter| filter.name() != name);
        self
    }

    /// With a filter of the user's own.
    pub fn with(mut self, filter: Box<dyn Filter>) -> Judge {
        self.filters.push(filter);
        self
    }

    /// The filters, for a list of what can be switched.
    pub fn filters(&self) -> impl Iterator<Item = &dyn Filter> {
        self.filters.iter().map(|filter| &**filter)
    }

    /// The judgement of an order that was executed; `None` if it was not, or repeated a known one.
    pub fn judge_explored(&self, explored: &Explored) -> Option<Judgement> {
        let Status::New { execution, diverged, .. } = &explored.status else { return None };
        let reversal = explored.plan.reversals.last()?;
        let mut judgement = self.compare(&explored.parent, execution, reversal, Some(&explored.recording));
        if let Some(event) = diverged {
            judgement.outcome = Outcome::Diverged(event.clone());
        }
        Some(judgement)
    }

    /// The judgement of two executions that differ in this reversal.
    pub fn judge(&self, parent: &Execution, child: &Execution, reversal: &Reversal) -> Judgement {
        self.compare(parent, child, reversal, None)
    }

    fn compare(
        &self,
        parent: &Execution,
        child: &Execution,
        reversal: &Reversal,
        recording: Option<&Execution>,
    ) -> Judgement {
        let differences = Differences::between(&parent.outcome, &child.outcome);
        let comparison = Comparison { parent, child, reversal, recording, differences };
        let matching: Vec<(Effect, Label)> = self
            .filters
            .iter()
            .filter_map(|filter| {
                let explanation = filter.explain(&comparison)?;
                Some((filter.effect(), Label { filter: filter.name().to_string(), explanation }))
            })
            .collect();
        let has = |effect: Effect| matching.iter().any(|(of, _)| *of == effect);
        let mut harms = comparison.differences.harms();
        harms.retain(|harm| !self.filters.iter().any(|filter| filter.excuses(*harm, &comparison)));
        let holds_in_recording =
            |name: &String| recording.is_none_or(|recording| !recording.outcome.broken_invariants.contains(name));
        let breaks_invariant = comparison.differences.invariants.1.iter().any(holds_in_recording);
        let outcome = if has(Effect::Harmful) || breaks_invariant {
            if !harms.contains(&Harm::Assertion) {
                harms.push(Harm::Assertion);
            }
            Outcome::Harmful(harms)
        } else if has(Effect::Harmless) || comparison.differences.is_empty() {
            Outcome::Harmless
        } else if has(Effect::Apart) {
            Outcome::Apart
        } else if harms.is_empty() {
            Outcome::HeapOnly
        } else {
            Outcome::Harmful(harms)
        };
        let labels = matching.into_iter().map(|(_, label)| label).collect();
        Judgement { outcome, labels, differences: comparison.differences }
    }
}

#[cfg(test)]
mod tests;
