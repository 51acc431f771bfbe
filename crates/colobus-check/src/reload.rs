//! Whoever opens the document now must see what those see who were there all the time.

use colobus_model::{Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, TextContent};

/// A newcomer's document is the others' document.
pub struct Reload;

impl Check for Reload {
    fn name(&self) -> &'static str {
        "reload"
    }

    fn describe(&self) -> &'static str {
        "a client that opens the document now sees what the others see"
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.late_joiner.is_some()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(late_join) = &trace.late_joiner else { return Verdict::Pass };
        has_the_same("a late_joiner", &late_join.late_joiner, &late_join.reference)
    }
}

/// Whether somebody who came later has the document, or else sees the text, of a witness who was there before.
pub(crate) fn has_the_same(who: &str, late_joiner: &Observation, reference: &Observation) -> Verdict {
    if late_joiner.state.is_some() {
        let equal = late_joiner.state == reference.state;
        return verdict(equal, || format!("{who} gets another document than those have who are there"));
    }
    match (TextContent::on_screen(late_joiner), TextContent::on_screen(reference)) {
        (Some(new), Some(old)) => verdict(new.passages() == old.passages(), || {
            format!("{who} sees “{}” where the others see “{}”", new.brief(), old.brief())
        }),
        _ => Verdict::Unknown(format!("the text of {who} or of the others was not observed")),
    }
}

fn verdict(equal: bool, summary: impl Fn() -> String) -> Verdict {
    if equal { Verdict::Pass } else { Verdict::Fail(Difference { kind: DifferenceKind::Reload, summary: summary() }) }
}
