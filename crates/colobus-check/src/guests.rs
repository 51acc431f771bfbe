//! Whoever came in the middle of it all has, in the end, what those have who were there from the start.

use colobus_trace::{Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, Writing};

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

/// Whether two clients have the same document, or else show the same text; `None` if neither was observed of both.
fn same_document(one: &Observation, other: &Observation) -> Option<bool> {
    match (&one.state, &other.state) {
        (Some(one), Some(other)) => Some(one == other),
        _ => Writing::on_screen(one).zip(Writing::on_screen(other)).map(|(one, other)| one == other),
    }
}
