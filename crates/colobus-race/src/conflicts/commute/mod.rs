//! Accesses of one place whose order does not matter. One file a rule, with its reason; [`RULES`] lists them.

mod counter;
mod growing_set;
mod lazy_initialisation;
mod never_read;
mod same_value;

pub use counter::Counter;
pub use growing_set::GrowingSet;
pub use lazy_initialisation::LazyInitialisation;
pub use never_read::NeverRead;
pub use same_value::SameValue;

use crate::model::{Access, Place};

/// Decides for one place whether all accesses of two events to it commute.
pub trait CommuteRule: Sync {
    fn name(&self) -> &'static str;

    /// Why it is sound, for the report.
    fn reason(&self) -> &'static str;

    /// At least one of the accesses is a write. The accesses of each event are in their order.
    fn commute(&self, place: &PlaceUse, first: &[&Access], second: &[&Access]) -> bool;
}

/// A place, and how the whole execution uses it.
#[derive(Clone, Copy, Debug)]
pub struct PlaceUse<'a> {
    pub place: &'a Place,
    /// Whether any event reads it, except to add to it or to insert something.
    pub is_read: bool,
}

/// All rules.
pub const RULES: [&dyn CommuteRule; 5] = [&SameValue, &Counter, &GrowingSet, &LazyInitialisation, &NeverRead];
