//! [`LazyInitialisation`]: two events that begin with `x = x ? x : {}` and then only read `x`. The thesis names this pattern (8.5.3).

use super::{CommuteRule, PlaceUse};
use crate::model::{Access, AccessKind};

/// lazy initialisation.
pub struct LazyInitialisation;

impl CommuteRule for LazyInitialisation {
    fn name(&self) -> &'static str {
        "lazy initialisation"
    }

    fn reason(&self) -> &'static str {
        "both events create the same value if it is missing, so each finds it whichever comes first"
    }

    fn commute(&self, _: &PlaceUse, first: &[&Access], second: &[&Access]) -> bool {
        let initialises = |accesses: &[&Access]| {
            let starts = accesses.first().is_some_and(|access| access.kind == AccessKind::Initialise);
            starts && accesses.iter().all(|access| matches!(access.kind, AccessKind::Initialise | AccessKind::Read))
        };
        let value = |accesses: &[&Access]| accesses.first().and_then(|access| access.value);
        initialises(first) && initialises(second) && value(first).is_some() && value(first) == value(second)
    }
}
