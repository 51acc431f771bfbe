//! [`AdHocSynchronisation`]: a timer looks again until something is there. In another order there are more or fewer such
//! timers, and the page comes to the same in the end.
//!
//! The thesis takes any new timer for this pattern. Today every toast and every debounced input is a new timer, so that
//! here the page, the exceptions and the requests must be equal as well after the tail has run.

use std::collections::BTreeSet;

use super::{Effect, Filter};
use crate::model::{EventName, Execution};
use crate::verdict::Comparison;

/// Timers, frames or idle callbacks are new or were never enabled, and users and servers see no difference.
pub struct AdHocSynchronisation;

impl Filter for AdHocSynchronisation {
    fn name(&self) -> &'static str {
        "ad-hoc-synchronisation"
    }

    fn reason(&self) -> &'static str {
        "the page waits with timers until something is there, and document, exceptions and requests are the same in the end"
    }

    fn effect(&self) -> Effect {
        Effect::Harmless
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        if !comparison.differences.harms().is_empty() {
            return None;
        }
        let (before, after) = (polling(comparison.parent), polling(comparison.child));
        let new: Vec<&str> = after.difference(&before).map(|name| name.as_str()).collect();
        let gone: Vec<&str> = before.difference(&after).map(|name| name.as_str()).collect();
        match (new.as_slice(), gone.as_slice()) {
            ([], []) => None,
            ([], gone) => Some(format!("never set: {}", gone.join(", "))),
            (new, []) => Some(format!("new: {}", new.join(", "))),
            (new, gone) => Some(format!("new: {}; never set: {}", new.join(", "), gone.join(", "))),
        }
    }
}

fn polling(execution: &Execution) -> BTreeSet<&EventName> {
    execution.events().filter(|event| event.is_polling()).map(|event| &event.name).collect()
}
