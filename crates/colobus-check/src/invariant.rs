//! What the user says is always true.

use colobus_model::{ClientId, Difference, DifferenceKind, Trace, Verdict};

use crate::Check;

/// Every `[[invariant]]` of the configuration holds in every client.
pub struct Invariants;

impl Check for Invariants {
    fn name(&self) -> &'static str {
        "invariant"
    }

    fn describe(&self) -> &'static str {
        "the invariants of the configuration hold in every settled state"
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.application.invariants.is_empty()
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
