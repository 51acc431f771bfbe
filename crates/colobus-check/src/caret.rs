//! The check `caret`: the caret of another user is shown where that user's caret is.

use colobus_model::{Action, CaretPlace, Carets, CheckId, ClientId, Difference, DifferenceKind, Trace, Verdict};

use crate::{Check, DemandedWord, Evidence, Symptom};

/// Every caret that a client shows of others is the caret of one of them.
pub struct RemoteCaret;

/// Carets are drawn as a border, a box or a gap: half a narrow letter is no difference.
const TOLERANCE: f64 = 2.5;

impl Check for RemoteCaret {
    fn id(&self) -> CheckId {
        CheckId::new("caret")
    }

    fn demand(&self) -> &'static str {
        "the carets of others are shown where their owners have them"
    }

    fn applies_where(&self) -> &'static str {
        "where `[checks] caret` says how to see them"
    }

    fn kinds(&self) -> &'static [DifferenceKind] {
        &[DifferenceKind::Caret]
    }

    fn symptom(&self) -> Symptom {
        Symptom::CaretMisplaced
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
        trace.application.remote_carets.is_some()
    }

    fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
        Vec::new()
    }

    fn judge(&self, trace: &Trace) -> Verdict {
        let carets: Option<Vec<&Carets>> = trace.observations.iter().map(|seen| seen.carets.as_deref()).collect();
        let Some(carets) = carets else {
            return Verdict::Unknown("the carets of a client were not looked at".into());
        };
        for (index, here) in carets.iter().enumerate() {
            let others = carets.iter().enumerate().filter(|(other, _)| *other != index);
            let owners: Option<Vec<&CaretPlace>> = others.map(|(_, there)| there.own.as_ref()).collect();
            // A user whose caret cannot be read may be the owner of any.
            let Some(mut owners) = owners else { continue };
            for shown in &here.shown {
                match owners.iter().position(|own| same_place(own, shown)) {
                    Some(owner) => _ = owners.remove(owner),
                    None => return Verdict::Fail(describe(ClientId(index), shown, &owners)),
                }
            }
        }
        Verdict::Pass
    }
}

fn same_place(own: &CaretPlace, shown: &CaretPlace) -> bool {
    match (own, shown) {
        (CaretPlace::Screen { x, top, bottom }, CaretPlace::Screen { x: drawn, top: from, bottom: to }) => {
            (x - drawn).abs() <= TOLERANCE && from < bottom && top < to
        }
        (one, other) => one == other,
    }
}

fn describe(client: ClientId, shown: &CaretPlace, owners: &[&CaretPlace]) -> Difference {
    let summary = match owners {
        [] => format!("{client} shows more carets than there are other users"),
        [owner] => format!("{client} shows another user's caret at {}, and it is at {}", place(shown), place(owner)),
        _ => format!("{client} shows a caret at {}, where no other user has one", place(shown)),
    };
    Difference { kind: DifferenceKind::Caret, summary }
}

fn place(place: &CaretPlace) -> String {
    match place {
        CaretPlace::Screen { x, top, .. } => format!("({x:.0}, {top:.0})"),
        CaretPlace::Document(position) => position.to_string(),
    }
}
