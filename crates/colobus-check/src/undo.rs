//! The check `undo`: undo by one user must not remove text that another user typed meanwhile, whether with an undo key or
//! with the inverse that the configuration names.

use colobus_model::{Action, CheckId, ClientId, DifferenceKind, Part, TextEffect, Token, Trace, Verdict};

use crate::conservation::demand;
use crate::{Check, DemandedWord, Evidence, Symptom};

/// What others typed meanwhile outlives an undo.
pub struct Undo;

impl Check for Undo {
    fn id(&self) -> CheckId {
        CheckId::new("undo")
    }

    fn demand(&self) -> &'static str {
        "undo by one user leaves alone what others typed meanwhile"
    }

    fn applies_where(&self) -> &'static str {
        "where an action types `{token}`, and another one presses Control+Z or is followed by its `inverse`"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Lost, DifferenceKind::Doubled, DifferenceKind::Torn, DifferenceKind::Interleaved]
    }

    fn symptom(&self) -> Symptom {
        Symptom::WordsMiscounted
    }

    fn needs_late_joiner(&self) -> bool {
        false
    }

    fn evidence(&self, trace: &Trace) -> Evidence {
        Evidence { words: !trace.tokens.is_empty(), ..Evidence::default() }
    }

    fn concerns(&self, _action: &Action) -> bool {
        true
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.tokens.is_empty() && trace.interaction.concurrent.iter().any(takes_back)
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        demand(trace, &demanded(trace))
    }

    fn words(&self, trace: &Trace) -> Vec<DemandedWord> {
        demanded(trace).iter().map(|token| DemandedWord { word: token.word.clone(), needed: true }).collect()
    }
}

/// What others than those who undo typed.
fn demanded(trace: &Trace) -> Vec<&Token> {
    let concurrent = &trace.interaction.concurrent;
    // A user who undoes something else than an edit of the same action may well mean the prefix.
    let harmless = |author: ClientId| {
        concurrent.iter().enumerate().all(|(index, action)| ClientId(index) == author || only_takes_back(action))
    };
    let demanded = |token: &&Token| {
        matches!(token.part, Part::Concurrent { .. })
            && token.whole_alone != Some(false)
            && !takes_back(&concurrent[token.client.0])
            && harmless(token.client)
    };
    trace.tokens.iter().filter(demanded).collect()
}

fn takes_back(action: &Action) -> bool {
    action.returns() || action.steps.iter().any(|step| step.effect() == TextEffect::Undoes)
}

/// Types or formats something, and takes it back.
fn only_takes_back(action: &Action) -> bool {
    let harmless = |effect| !matches!(effect, TextEffect::Deletes | TextEffect::Selects | TextEffect::Moves);
    action.returns() || !action.deletes && takes_back(action) && action.steps.iter().all(|step| harmless(step.effect()))
}
