//! Whoever opens the document now must see what those see who were there all the time.

use colobus_trace::{Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, Writing};

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
        trace.newcomer.is_some()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(arrival) = &trace.newcomer else { return Verdict::Pass };
        has_the_same("a newcomer", &arrival.newcomer, &arrival.witness)
    }
}

/// Whether somebody who came later has the document, or else sees the text, of a witness who was there before.
pub(crate) fn has_the_same(who: &str, newcomer: &Observation, witness: &Observation) -> Verdict {
    if newcomer.state.is_some() {
        let equal = newcomer.state == witness.state;
        return verdict(equal, || format!("{who} gets another document than those have who are there"));
    }
    match (Writing::on_screen(newcomer), Writing::on_screen(witness)) {
        (Some(new), Some(old)) => verdict(new.passages() == old.passages(), || {
            format!("{who} sees “{}” where the others see “{}”", new.brief(), old.brief())
        }),
        _ => Verdict::Unknown(format!("the text of {who} or of the others was not observed")),
    }
}

fn verdict(equal: bool, summary: impl Fn() -> String) -> Verdict {
    if equal { Verdict::Pass } else { Verdict::Fail(Difference { kind: DifferenceKind::Reload, summary: summary() }) }
}
