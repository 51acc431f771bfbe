//! What users typed is there, once and whole, in every client, unless somebody may have taken it away. That it is gone for
//! everybody alike is no excuse.

mod fate;
mod license;

use colobus_trace::{ClientId, Difference, Token, Trace, Verdict};

use crate::{Check, Writing};
use fate::fate;
use license::may_vanish;
pub use license::{Effect, effect};

/// Every word that was typed with `{token}` is there exactly once.
pub struct Conservation;

impl Check for Conservation {
    fn name(&self) -> &'static str {
        "conservation"
    }

    fn describe(&self) -> &'static str {
        "what users typed is there, once and whole, if nobody deleted it"
    }

    fn applies(&self, trace: &Trace) -> bool {
        !trace.tokens.is_empty()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        demand(trace, &trace.tokens.iter().filter(|token| !may_vanish(trace, token)).collect::<Vec<_>>())
    }
}

/// Every client must have each of these tokens exactly once.
pub fn demand(trace: &Trace, demanded: &[&Token]) -> Verdict {
    let words: Vec<&str> = trace.tokens.iter().map(|token| token.word.as_str()).collect();
    for (index, observation) in trace.observations.iter().enumerate() {
        let Some(writing) = Writing::of(observation) else {
            return Verdict::Unknown("the text of a client was not observed".into());
        };
        for token in demanded {
            if let Some(fate) = fate(&writing, &token.word, &words) {
                return Verdict::Fail(describe(ClientId(index), token, fate));
            }
        }
    }
    Verdict::Pass
}

fn describe(seen_by: ClientId, token: &Token, fate: fate::Fate) -> Difference {
    let Token { word, client: author, .. } = token;
    let summary = format!("{author} typed “{word}”, and in {seen_by}'s document {}", fate.what);
    Difference { kind: fate.kind, summary }
}
