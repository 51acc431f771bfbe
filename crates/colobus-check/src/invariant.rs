//! The check `invariant`: JavaScript of the configuration is true in every client.

use colobus_model::{Action, CheckId, ClientId, Difference, DifferenceKind, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom};

/// Asked of one page as well: [`PageCheck::Invariant`](crate::PageCheck::Invariant).
pub(crate) const NAME: &str = "invariant";

/// Every `[[invariant]]` of the configuration holds in every client.
pub struct Invariants;

impl Check for Invariants {
    fn id(&self) -> CheckId {
        CheckId::new(NAME)
    }

    fn demand(&self) -> &'static str {
        "JavaScript of your own is true in every client, once everything has settled"
    }

    fn applies_where(&self) -> &'static str {
        "every `[[invariant]]`"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Invariant]
    }

    fn symptom(&self) -> Symptom {
        Symptom::InvariantBroken
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, _trace: &Trace) -> Evidence {
        Evidence::default()
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.application.invariants.is_empty()
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        for (index, observation) in trace.observations.iter().enumerate() {
            let Some(broken) = &observation.broken_invariants else {
                return Verdict::Unknown("the invariants of a client were not looked at".into());
            };
            if let Some(invariant) = broken.first() {
                let summary = format!("“{invariant}” does not hold for {}", ClientId(index));
                return Verdict::Fail(Difference { kind: DifferenceKind::Invariant, summary });
            }
        }
        Verdict::Pass
    }
}
