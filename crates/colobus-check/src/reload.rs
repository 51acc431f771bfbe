//! The check `reload`: a client that opens the document afterwards sees the same as the others.

use colobus_model::{Action, CheckId, Difference, DifferenceKind, Observation, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom, TextContent};

/// The document of a client that opens it in the end is the others' document.
pub struct Reload;

impl Check for Reload {
    fn id(&self) -> CheckId {
        CheckId::new("reload")
    }

    fn demand(&self) -> &'static str {
        "a client that opens the document afterwards sees the same as the others"
    }

    fn applies_where(&self) -> &'static str {
        "where the URL has `{doc}`; `[checks] reload = false` switches it off"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Reload]
    }

    fn symptom(&self) -> Symptom {
        Symptom::ReopenedDiffers
    }

    fn needs_late_joiner(&self) -> bool {
        true
    }

    fn evidence(&self, _trace: &Trace) -> Evidence {
        Evidence::default()
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        trace.late_joiner.is_some()
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(late_join) = &trace.late_joiner else { return Verdict::Pass };
        has_the_same("a late joiner", &late_join.late_joiner, &late_join.reference)
    }
}

/// Whether a late joiner has the document, or else sees the text, of a reference client that was there before.
pub(crate) fn has_the_same(who: &str, late_joiner: &Observation, reference: &Observation) -> Verdict {
    if late_joiner.state.is_some() {
        let equal = late_joiner.state == reference.state;
        return verdict(equal, || format!("{who} gets another document than the others have"));
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
