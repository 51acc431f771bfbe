//! [`SameValue`]: two events that write the same value to a place and read nothing there.

use super::{CommuteRule, PlaceUse};
use crate::model::{Access, AccessKind};

/// same value.
pub struct SameValue;

impl CommuteRule for SameValue {
    fn name(&self) -> &'static str {
        "same value"
    }

    fn reason(&self) -> &'static str {
        "both events write the same value and neither reads the place"
    }

    fn commute(&self, _: &PlaceUse, first: &[&Access], second: &[&Access]) -> bool {
        let only_writes = |access: &&&Access| access.kind == AccessKind::Write;
        let last = |accesses: &[&Access]| accesses.last().and_then(|access| access.value);
        first.iter().chain(second).all(|access| only_writes(&access))
            && last(first).is_some()
            && last(first) == last(second)
    }
}
