//! [`SameState`]: both orders end in the same state, so that the two events commute after all.

use super::{Effect, Filter};
use crate::verdict::Comparison;

/// Page, exceptions, requests and the last values of all places are the same. Class names count as a set.
pub struct SameState;

impl Filter for SameState {
    fn name(&self) -> &'static str {
        "same-state"
    }

    fn reason(&self) -> &'static str {
        "both orders end in the same state"
    }

    fn effect(&self) -> Effect {
        Effect::Harmless
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        comparison.differences.is_empty().then(|| "both orders end in the same state".to_string())
    }
}
