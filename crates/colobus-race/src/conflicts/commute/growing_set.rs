//! [`GrowingSet`]: two events that only insert into a set or a class list.

use super::{CommuteRule, PlaceUse};
use crate::model::{Access, AccessKind};

/// growing set.
pub struct GrowingSet;

impl CommuteRule for GrowingSet {
    fn name(&self) -> &'static str {
        "growing set"
    }

    fn reason(&self) -> &'static str {
        "both events only insert into the set, and a set has no order"
    }

    fn commute(&self, _: &PlaceUse, first: &[&Access], second: &[&Access]) -> bool {
        first.iter().chain(second).all(|access| access.kind == AccessKind::Insert)
    }
}
