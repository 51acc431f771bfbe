//! The check `conservation`: what users typed is there, once and whole, in every client, unless another user may have deleted
//! it; and never twice. Clients that agree on a lost word fail as well.

mod deletion_rules;
mod refusal;
mod token_state;

use colobus_model::{Action, CheckId, ClientId, Difference, DifferenceKind, TextEffect, Token, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom, TextContent};
use deletion_rules::may_vanish;
use refusal::was_refused;
use token_state::{TokenState, token_state};

/// Every word that was typed with `{token}` is there exactly once.
pub struct Conservation;

impl Check for Conservation {
    fn id(&self) -> CheckId {
        CheckId::new("conservation")
    }

    fn demand(&self) -> &'static str {
        "what users typed is there, once and whole, unless another user may have deleted it"
    }

    fn applies_where(&self) -> &'static str {
        "where actions type `{token}`"
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
        !trace.tokens.is_empty()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let (excused, demanded) = excused_and_demanded(trace);
        match demand(trace, &demanded) {
            Verdict::Pass => at_most_once(trace, &excused),
            verdict => verdict,
        }
    }

    fn words(&self, trace: &Trace) -> Vec<DemandedWord> {
        let (excused, demanded) = excused_and_demanded(trace);
        let word = |needed| move |token: &Token| DemandedWord { word: token.word.clone(), needed };
        let at_most_once = excused.into_iter().filter(|token| token.whole_alone == Some(true)).map(word(false));
        demanded.into_iter().map(word(true)).chain(at_most_once).collect()
    }
}

fn excused_and_demanded(trace: &Trace) -> (Vec<&Token>, Vec<&Token>) {
    let may_vanish = |token: &&Token| may_vanish(trace, token) || was_refused(trace, token);
    trace.tokens.iter().partition(may_vanish)
}

/// Every client must have each of these tokens exactly once.
pub fn demand(trace: &Trace, demanded: &[&Token]) -> Verdict {
    let words: Vec<&str> = trace.tokens.iter().map(|token| token.word.as_str()).collect();
    for (index, observation) in trace.observations.iter().enumerate() {
        let Some(writing) = TextContent::of(observation) else {
            return Verdict::Unknown("the text of a client was not observed".into());
        };
        for token in demanded {
            let taste = |state: &TokenState| matches!(state.kind, DifferenceKind::Torn | DifferenceKind::Interleaved);
            let counts = |state: &TokenState| trace.application.whole_words || !taste(state);
            if let Some(token_state) = token_state(&writing, &token.word, &words).filter(counts) {
                return Verdict::Fail(describe(ClientId(index), token, token_state));
            }
        }
    }
    Verdict::Pass
}

/// A word that another user may delete must not appear twice either, unless an action can insert it, as a click may.
fn at_most_once(trace: &Trace, excused: &[&Token]) -> Verdict {
    let interaction = &trace.interaction;
    let actions = interaction.prefix.iter().chain(&interaction.concurrent);
    let known = actions.flat_map(|action| &action.steps).all(|step| step.effect() != TextEffect::Unknown);
    let judged = |token: &&&Token| match token.whole_alone {
        Some(whole) => whole,
        None => known,
    };
    for (index, observation) in trace.observations.iter().enumerate() {
        let Some(writing) = TextContent::of(observation) else { continue };
        for token in excused.iter().filter(judged).filter(|token| writing.count(&token.word) > 1) {
            if let Some(token_state) = token_state(&writing, &token.word, &[]) {
                return Verdict::Fail(describe(ClientId(index), token, token_state));
            }
        }
    }
    Verdict::Pass
}

fn describe(seen_by: ClientId, token: &Token, token_state: TokenState) -> Difference {
    let Token { word, client: author, .. } = token;
    let summary = format!("{author} typed “{word}”, and in {seen_by}'s document {}", token_state.what);
    Difference { kind: token_state.kind, summary }
}
