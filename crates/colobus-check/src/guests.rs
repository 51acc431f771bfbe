//! Whoever came in the middle of it all has, in the end, what those have who were there from the start.

use colobus_model::{Trace, Verdict};

use crate::Check;
use crate::reload::has_the_same;

/// The document of a late joiner or a second tab is the others' document.
pub struct Guests;

impl Check for Guests {
    fn name(&self) -> &'static str {
        "guests"
    }

    fn describe(&self) -> &'static str {
        "a client that joined late, or a second tab, ends with the document that the others have"
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.guests.is_empty()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(first) = trace.observations.first() else {
            return Verdict::Unknown("the trace has no observations".into());
        };
        let verdicts = trace.guests.iter().map(|guest| has_the_same(&guest.name, &guest.observation, first));
        verdicts.into_iter().find(|verdict| *verdict != Verdict::Pass).unwrap_or(Verdict::Pass)
    }
}
