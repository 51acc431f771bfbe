//! [`NeverRead`]: a script variable that no event of the execution reads. The document, storage and cookies are never covered: users and later pages read them although no event does.

use super::{CommuteRule, PlaceUse};
use crate::model::Access;

/// never read.
pub struct NeverRead;

impl CommuteRule for NeverRead {
    fn name(&self) -> &'static str {
        "never read"
    }

    fn reason(&self) -> &'static str {
        "no event of the execution reads the variable"
    }

    fn commute(&self, place: &PlaceUse, _: &[&Access], _: &[&Access]) -> bool {
        place.place.is_script_only() && !place.is_read
    }
}
