//! [`Signature`]: how a failure shows, without texts, places, clients or numbers: what two failures of one bug have in common. Where
//! clients agree, what they did belongs to it.

use std::fmt;

use colobus_check::{Checks, Symptom};
use colobus_compare::dom::{part, visible_text};
use colobus_model::{DifferenceKind, Observation, Trace};

use super::activity::Activity;
use crate::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    /// Clients agree; one that opens the document later has something else.
    LateJoiner,
    /// Documents are equal, and what the editor shows differs.
    ShownDifferently,
    /// Documents are equal, and something beside the editor differs.
    BesideTheDocument,
    /// The same letters in another order.
    OtherOrder,
    /// Letters that one client has more often than another.
    OtherLetters,
    /// Equal texts, formatted differently.
    Formatting,
    /// Documents that differ and look the same.
    Hidden,
    /// Equal pages, drawn differently.
    Drawn,
    /// Clients agree in the end: one of them saw an answer before its question.
    EarlyAnswer,
    /// Clients agree: the kind of the worst difference that a check saw.
    Agreed(DifferenceKind),
    /// Clients agree on a text that is wrong, in this way, after doing this.
    AgreedText(DifferenceKind, Activity),
}

impl Signature {
    pub fn of(failure: &Failure, trace: &Trace, checks: Checks) -> Signature {
        let between = |check| checks.find(check).is_some_and(|check| check.symptom().is_between_clients());
        if failure.checks().any(between) {
            return between_clients(trace);
        }
        if checks.find(&failure.check).is_some_and(|check| check.symptom() == Symptom::AnswerTooEarly) {
            return Signature::EarlyAnswer;
        }
        let joins = |check| {
            checks
                .find(check)
                .is_some_and(|check| check.needs_late_joiner() || check.symptom() == Symptom::LateJoinerDiffers)
        };
        if failure.checks().all(joins) {
            return Signature::LateJoiner;
        }
        match failure.difference.kind {
            kind @ (DifferenceKind::Lost
            | DifferenceKind::Doubled
            | DifferenceKind::Torn
            | DifferenceKind::Interleaved) => Signature::AgreedText(kind, Activity::of(&trace.interaction)),
            kind => Signature::Agreed(kind),
        }
    }
}

fn between_clients(trace: &Trace) -> Signature {
    let Some((first, others)) = trace.observations.split_first() else { return Signature::Drawn };
    let has_state = first.state.is_some();
    if let Some(other) = others.iter().find(|other| other.state != first.state) {
        return by_text(trace, first, other).unwrap_or(Signature::Hidden);
    }
    let Some(other) = others.iter().find(|other| other.dom != first.dom) else { return Signature::Drawn };
    if !has_state {
        return by_text(trace, first, other).unwrap_or(Signature::Drawn);
    }
    match (edited(trace, first), edited(trace, other)) {
        (Some(one), Some(other)) if one == other => Signature::BesideTheDocument,
        _ => Signature::ShownDifferently,
    }
}

/// The element that users write in, if it can be found in what the page shows.
fn edited(trace: &Trace, seen: &Observation) -> Option<String> {
    part(seen.dom.as_deref()?, trace.application.focus.as_deref()?).map(|lines| lines.join("\n"))
}

/// What two pages say, where users write if that is known; `None` if they are equal.
fn by_text(trace: &Trace, one: &Observation, other: &Observation) -> Option<Signature> {
    let (pages, parts) = (one.dom.clone().zip(other.dom.clone())?, edited(trace, one).zip(edited(trace, other)));
    let (one, other) = parts.filter(|(one, other)| one != other).unwrap_or(pages);
    if one == other {
        return None;
    }
    let (one, other) = (visible_text(&one), visible_text(&other));
    Some(match one == other {
        true => Signature::Formatting,
        false if letters(&one) == letters(&other) => Signature::OtherOrder,
        false => Signature::OtherLetters,
    })
}

fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Signature::LateJoiner => "a client that joins later has another document",
            Signature::ShownDifferently => "the same document is shown differently",
            Signature::BesideTheDocument => "the document is the same, something beside it differs",
            Signature::OtherOrder => "the same letters in another order",
            Signature::OtherLetters => "users have different letters",
            Signature::Formatting => "the same text with different formatting",
            Signature::Hidden => "documents differ that look the same",
            Signature::Drawn => "the same page looks different",
            Signature::EarlyAnswer => "a user sees an answer before its question",
            Signature::AgreedText(kind, activity) => {
                let text = match kind {
                    DifferenceKind::Lost => "text lost for all users",
                    DifferenceKind::Doubled => "text doubled for all users",
                    DifferenceKind::Torn => "a word torn apart for all users",
                    _ => "words of two users mixed",
                };
                return write!(f, "{text}, {activity}");
            }
            Signature::Agreed(DifferenceKind::View) => "a page that does not show its document",
            Signature::Agreed(DifferenceKind::Invariant) => "an invariant is broken",
            Signature::Agreed(DifferenceKind::Neutral) => "what should change nothing changes something",
            Signature::Agreed(DifferenceKind::Caret) => "another user's caret is in the wrong place",
            Signature::Agreed(DifferenceKind::Error) => "an error",
            Signature::Agreed(kind) => return write!(f, "a difference in {kind}"),
        };
        f.write_str(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::{CheckId, Difference};
    use serde_json::{Value, json};

    /// What two clients with these documents and pages are told apart by.
    fn between(seen: [(Option<Value>, &str); 2]) -> Signature {
        let observation = |(state, dom): (Option<Value>, &str)| Observation {
            dom: Some(dom.to_string()),
            state,
            ..Observation::default()
        };
        let trace: Trace = serde_json::from_value(json!({
            "version": 1,
            "application": {
                "url": "http://127.0.0.1/", "launch": null, "reset": "reload", "hosts": [], "ready": null,
                "focus": "#editor", "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true,
                "state": null, "viewport": {"width": 20, "height": 20},
                "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0}
            },
            "interaction": { "prefix": [], "concurrent": [] },
            "schedule": "", "judged_by": [], "observations": [], "known_errors": [], "outcome": "completed"
        }))
        .unwrap();
        let trace = Trace { observations: seen.map(observation).to_vec(), ..trace };
        Signature::of(&failure("convergence-dom", DifferenceKind::Text), &trace, Checks::default())
    }

    fn failure(check: &'static str, kind: DifferenceKind) -> Failure {
        Failure::of(CheckId::new(check), Difference { kind, summary: String::new() })
    }

    #[test]
    fn clients_are_told_apart_by_document_page_and_text() {
        let page = |text: &str| format!("<div id=\"editor\">\n  \"{text}\"\n<aside>\n  \"users\"");
        let (ab, ba, abc) = (page("ab"), page("ba"), page("abc"));
        let bold = "<div id=\"editor\">\n  <b>\n    \"ab\"\n<aside>\n  \"users\"".to_string();
        let beside = ab.replace("users", "marks");
        let document = |name: &str| Some(json!(name));
        for (one, other, signature) in [
            ((document("x"), &ab), (document("y"), &ba), Signature::OtherOrder),
            ((document("x"), &ab), (document("y"), &abc), Signature::OtherLetters),
            ((document("x"), &ab), (document("y"), &bold), Signature::Formatting),
            ((document("x"), &ab), (document("y"), &ab), Signature::Hidden),
            ((document("x"), &ab), (document("x"), &bold), Signature::ShownDifferently),
            ((document("x"), &ab), (document("x"), &beside), Signature::BesideTheDocument),
            ((document("x"), &ab), (document("x"), &ab), Signature::Drawn),
            ((None, &ab), (None, &ba), Signature::OtherOrder),
            ((None, &ab), (None, &ab), Signature::Drawn),
        ] {
            assert_eq!(between([(one.0, one.1), (other.0, other.1)]), signature);
        }
    }
}
