//! The check `late-joiner`: a client that joins in the middle ends with the document of those who were there from the start.

use colobus_model::{Action, CheckId, DifferenceKind, Event, Trace, Verdict};

use crate::reload::has_the_same;
use crate::{Check, DemandedWord, Evidence, Symptom};

/// The document of a late joiner or a second tab is the others' document.
pub struct LateJoiner;

impl Check for LateJoiner {
    fn id(&self) -> CheckId {
        CheckId::new("late-joiner")
    }

    fn demand(&self) -> &'static str {
        "a client that joins in the middle, or a second tab, ends with the document that the others have"
    }

    fn applies_where(&self) -> &'static str {
        "with `--faults`; see [schedules](schedules.md)"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Reload]
    }

    fn symptom(&self) -> Symptom {
        Symptom::LateJoinerDiffers
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, trace: &Trace) -> Evidence {
        let joins = |event: &Event| matches!(event, Event::Join { .. } | Event::Tab { .. });
        Evidence { words: trace.schedule.events.iter().any(joins), ..Evidence::default() }
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.late_joiners.is_empty()
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let Some(first) = trace.observations.first() else {
            return Verdict::Unknown("the trace has no observations".into());
        };
        let verdicts = trace
            .late_joiners
            .iter()
            .map(|late_joiner| has_the_same(&late_joiner.name, &late_joiner.observation, first));
        verdicts.into_iter().find(|verdict| *verdict != Verdict::Pass).unwrap_or(Verdict::Pass)
    }
}
