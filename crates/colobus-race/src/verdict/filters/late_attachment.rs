//! [`LateAttachment`]: a handler is registered only after its event came. The thesis hides this; a click on a page that a
//! server rendered, before its scripts have come, is a real loss today, so that it is reported apart.

use super::{Effect, Filter};
use crate::conflicts::ConflictReason;
use crate::model::Place;
use crate::verdict::Comparison;

/// The pair is the registration and the dispatch of the same handler.
pub struct LateAttachment;

impl Filter for LateAttachment {
    fn name(&self) -> &'static str {
        "late-attachment"
    }

    fn reason(&self) -> &'static str {
        "an event came before its handler was registered, which is common and sometimes intended"
    }

    fn effect(&self) -> Effect {
        Effect::Apart
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        let ConflictReason::Place(shared) = &comparison.reversal.cause else { return None };
        let Place::Handler { target, event } = &shared.place else { return None };
        let registers_and_dispatches = shared.first.writes() != shared.second.writes();
        registers_and_dispatches
            .then(|| format!("{event} came to {target} before its handler was registered, or after"))
    }
}
