//! Whoever opens the document now must see what those see who were there all the time.

use colobus_trace::{Difference, DifferenceKind, Trace, Verdict};

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
        let (newcomer, witness) = (&arrival.newcomer, &arrival.witness);
        if newcomer.state.is_some() {
            let equal = newcomer.state == witness.state;
            return verdict(equal, || "a newcomer gets another document than those have who are there".to_string());
        }
        match (Writing::on_screen(newcomer), Writing::on_screen(witness)) {
            (Some(new), Some(old)) => verdict(new.passages() == old.passages(), || {
                format!("a newcomer sees “{}” where the others see “{}”", new.brief(), old.brief())
            }),
            _ => Verdict::Unknown("the text of a client was not observed".into()),
        }
    }
}

/// Whether two clients have the same document, or else show the same text; `None` if neither was observed of both.
pub(crate) fn same_document(one: &Observation, other: &Observation) -> Option<bool> {
    match (&one.state, &other.state) {
        (Some(one), Some(other)) => Some(one == other),
        _ => shown(one).zip(shown(other)).map(|(one, other)| one == other),
    }
}

fn verdict(equal: bool, summary: impl Fn() -> String) -> Verdict {
    if equal { Verdict::Pass } else { Verdict::Fail(Difference { kind: DifferenceKind::Reload, summary: summary() }) }
}
