//! [`Counter`]: two events that only add to a number.

use super::{CommuteRule, PlaceUse};
use crate::model::{Access, AccessKind};

/// counter.
pub struct Counter;

impl CommuteRule for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn reason(&self) -> &'static str {
        "both events only add to the number, and a sum does not depend on the order"
    }

    fn commute(&self, _: &PlaceUse, first: &[&Access], second: &[&Access]) -> bool {
        first.iter().chain(second).all(|access| access.kind == AccessKind::Add)
    }
}
