//! [`Unload`]: one of the two events belongs to the end of the page, which users do not see any more.

use super::{Effect, Filter};
use crate::model::EventKind;
use crate::verdict::Comparison;

/// One event of the pair is `unload`, `pagehide` or `visibilitychange` on the way out.
pub struct Unload;

impl Filter for Unload {
    fn name(&self) -> &'static str {
        "unload"
    }

    fn reason(&self) -> &'static str {
        "one of the two events comes when the page is left, which users do not see any more"
    }

    fn effect(&self) -> Effect {
        Effect::Harmless
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        let pair = [&comparison.reversal.first, &comparison.reversal.second];
        let mut events = comparison.parent.events().filter(|event| pair.contains(&&event.name));
        let unload = events.find(|event| event.kind == EventKind::Unload)?;
        Some(format!("{} comes when the page is left", unload.name))
    }
}
