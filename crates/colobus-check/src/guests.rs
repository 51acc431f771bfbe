//! Whoever came in the middle of it all has, in the end, what those have who were there from the start.

use colobus_trace::{Difference, DifferenceKind, Trace, Verdict};

use crate::Check;
use crate::reload::same_document;

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
        for guest in &trace.guests {
            match same_document(&guest.observation, first) {
                None => return Verdict::Unknown(format!("the document of {} was not observed", guest.name)),
                Some(true) => {}
                Some(false) => {
                    let summary = format!("{} has another document than A", guest.name);
                    return Verdict::Fail(Difference { kind: DifferenceKind::Reload, summary });
                }
            }
        }
        Verdict::Pass
    }
}
