//! [`AsRecorded`]: the order ends as the recording did. Its parent did not; that was judged when the parent was compared
//! with its own parent, and turning a pair back is no second bug.

use super::{Effect, Filter};
use crate::verdict::{Comparison, Differences};

/// Page, exceptions and requests are those of the recording.
pub struct AsRecorded;

impl Filter for AsRecorded {
    fn name(&self) -> &'static str {
        "as-recorded"
    }

    fn reason(&self) -> &'static str {
        "the page ends as it was recorded, and the order before this one, which did not, was judged already"
    }

    fn effect(&self) -> Effect {
        Effect::Harmless
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        let recorded = &comparison.recording?.outcome;
        let came_back = Differences::between(recorded, &comparison.child.outcome).harms().is_empty()
            && !Differences::between(recorded, &comparison.parent.outcome).harms().is_empty();
        came_back.then(|| "the page ends as it was recorded; the order before this one did not".to_string())
    }
}
