//! Whether an order that is run twice leads to the same twice: what executions are compared by, and how a difference is
//! told. An application that differs depends on something else than the order of its messages.

use std::hash::{DefaultHasher, Hash, Hasher};

use colobus_check::Judgement;
use colobus_model::{Event, Interaction, Reproduction, Schedule};
use colobus_schedule::{Difference, Digest, Nondeterminism};

use super::Executed;

/// Equal for executions after which the clients show the same.
pub(crate) fn digest(executed: &Executed) -> Digest {
    let mut hasher = DefaultHasher::new();
    (executed.judgement == Judgement::Pass).hash(&mut hasher);
    for observation in &executed.trace.observations {
        observation.dom.hash(&mut hasher);
        observation.state.as_ref().map(ToString::to_string).hash(&mut hasher);
    }
    hasher.finish()
}

/// One sentence for people.
pub(crate) fn described(interaction: &Interaction, found: &Nondeterminism<Event>) -> String {
    let line = Reproduction::of(interaction, &Schedule { events: found.order.clone() });
    let events = |events: &[Event]| match events {
        [] => "nothing".to_string(),
        events => Schedule { events: events.to_vec() }.to_string(),
    };
    match &found.difference {
        Difference::Enabled { after, first, second } => format!(
            "not deterministic: run twice, `{line}` could go on with {} after {after} events the first time, and with {} the second",
            events(first),
            events(second)
        ),
        Difference::Outcome { .. } => {
            format!("not deterministic: run twice, `{line}` leaves the clients with different contents")
        }
    }
}
