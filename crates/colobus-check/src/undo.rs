//! Who takes back what they did takes back nothing of the others, whether with an undo key or with the inverse that the
//! configuration names.

use colobus_model::{Action, ClientId, Part, TextEffect, Token, Trace, Verdict};

use crate::Check;
use crate::conservation::demand;

/// What others typed meanwhile outlives an undo.
pub struct Undo;

impl Check for Undo {
    fn name(&self) -> &'static str {
        "undo"
    }

    fn describe(&self) -> &'static str {
        "undo leaves alone what others did meanwhile"
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.tokens.is_empty() && trace.interaction.concurrent.iter().any(takes_back)
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let concurrent = &trace.interaction.concurrent;
        // Whoever undoes something else than an edit of their own in the same action may well mean the prefix.
        let harmless = |author: ClientId| {
            concurrent.iter().enumerate().all(|(index, action)| ClientId(index) == author || only_takes_back(action))
        };
        let demanded = |token: &&Token| {
            matches!(token.part, Part::Concurrent { .. })
                && token.whole_alone != Some(false)
                && !takes_back(&concurrent[token.client.0])
                && harmless(token.client)
        };
        demand(trace, &trace.tokens.iter().filter(demanded).collect::<Vec<_>>())
    }
}

fn takes_back(action: &Action) -> bool {
    action.returns() || action.steps.iter().any(|step| step.effect() == TextEffect::Undoes)
}

/// Types or formats something, and takes it back.
fn only_takes_back(action: &Action) -> bool {
    let harmless = |effect| !matches!(effect, TextEffect::Deletes | TextEffect::Selects | TextEffect::Moves);
    action.returns() || !action.deletes && takes_back(action) && action.steps.iter().all(|step| harmless(step.effect()))
}
