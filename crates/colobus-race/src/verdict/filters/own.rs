//! [`OwnReasons`]: what the user knows to be harmless, each with a reason of their own: `[[race.harmless]]` of a
//! configuration.
//!
//! A pair is harmless only if nothing else is left of it: accesses that an entry names do not count, and the two events must
//! not share a further place; errors that an entry names do not count, and nothing else may differ. A rule for the clock
//! of a page so hides no other bug of the same two events.

use colobus_model::matches_pattern;
use serde::{Deserialize, Serialize};

use super::{Effect, Filter};
use crate::conflicts::ConflictReason;
use crate::model::Access;
use crate::verdict::{Comparison, Harm};

/// One entry. `*` stands for anything; what is left out is not looked at. With none of the three it matches nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnReason {
    /// Why it is harmless, for the report.
    pub reason: String,
    /// What both events touch, as findings call it: `text of <p#clock>`.
    pub place: Option<String>,
    /// Where in the sources one of them touches it: `clock.js:*`.
    pub at: Option<String>,
    /// The text of an uncaught exception.
    pub error: Option<String>,
}

/// All entries of a configuration.
#[derive(Clone, Debug, Default)]
pub struct OwnReasons(pub Vec<OwnReason>);

impl OwnReason {
    fn means_access(&self, access: &Access) -> bool {
        let at = || access.site.as_ref().map(ToString::to_string).unwrap_or_default();
        let has_place = self.place.as_ref().is_none_or(|place| matches_pattern(place, &access.place.to_string()));
        let has_position = self.at.as_ref().is_none_or(|position| matches_pattern(position, &at()));
        // An entry for errors is none for accesses.
        (self.place.is_some() || self.at.is_some()) && self.error.is_none() && has_place && has_position
    }

    fn means_error(&self, text: &str, comparison: &Comparison) -> bool {
        let Some(error) = &self.error else { return false };
        let of_pair = OwnReason { error: None, ..self.clone() };
        let is_right_pair = (self.place.is_none() && self.at.is_none())
            || reversed_accesses(comparison).iter().any(|access| of_pair.means_access(access));
        matches_pattern(error, text) && is_right_pair
    }
}

/// The two accesses that a finding of this pair names.
fn reversed_accesses<'a>(comparison: &'a Comparison) -> Vec<&'a Access> {
    match &comparison.reversal.cause {
        ConflictReason::Place(shared) => vec![&shared.first, &shared.second],
        ConflictReason::Cancels { .. } | ConflictReason::Opaque { .. } => Vec::new(),
    }
}

impl OwnReasons {
    pub const NAME: &str = "race.harmless";

    /// The reasons why the order of the pair does not matter; none if there is something that no entry names.
    fn of_pair(&self, comparison: &Comparison) -> Vec<&str> {
        // What one event does to the other, or what is not known of it, is no access that an entry could name.
        let ConflictReason::Place(shared) = &comparison.reversal.cause else { return Vec::new() };
        if shared.further > shared.others.len() {
            return Vec::new();
        }
        let mut reasons: Vec<&str> = Vec::new();
        for (first, second) in shared.accesses() {
            let means = |entry: &&OwnReason| entry.means_access(first) || entry.means_access(second);
            let Some(entry) = self.0.iter().find(means) else { return Vec::new() };
            if !reasons.contains(&entry.reason.as_str()) {
                reasons.push(&entry.reason);
            }
        }
        reasons
    }

    /// The reasons why the exceptions that differ do not matter; none if one of them does, or if there are none.
    fn of_errors(&self, comparison: &Comparison) -> Vec<&str> {
        let (gone, new) = &comparison.differences.exceptions;
        let mut reasons: Vec<&str> = Vec::new();
        for text in gone.iter().chain(new) {
            let Some(entry) = self.0.iter().find(|entry| entry.means_error(text, comparison)) else {
                return Vec::new();
            };
            if !reasons.contains(&entry.reason.as_str()) {
                reasons.push(&entry.reason);
            }
        }
        reasons
    }
}

impl Filter for OwnReasons {
    fn name(&self) -> &'static str {
        OwnReasons::NAME
    }

    fn reason(&self) -> &'static str {
        "an entry of the configuration says so"
    }

    fn effect(&self) -> Effect {
        Effect::Harmless
    }

    fn excuses(&self, harm: Harm, comparison: &Comparison) -> bool {
        harm == Harm::Exceptions && !self.of_errors(comparison).is_empty()
    }

    fn explain(&self, comparison: &Comparison) -> Option<String> {
        let mut reasons = self.of_pair(comparison);
        let only_exceptions = comparison.differences.harms() == [Harm::Exceptions];
        if reasons.is_empty() && only_exceptions {
            reasons = self.of_errors(comparison);
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use crate::conflicts::SharedPlace;
    use crate::explore::Reversal;
    use crate::model::{AccessKind, Execution, FinalState, Place, Site};
    use crate::verdict::{Judge, Outcome};

    fn access(place: &str, kind: AccessKind, at: &str) -> Access {
        let site = Some(Site::new(at, 1));
        Access { site, ..Access::new(Place::Text { element: format!("<p#{place}>") }, kind) }
    }

    /// Event a writes these places in app.js, b reads them in clock.js.
    fn reversal(places: &[&str]) -> Reversal {
        let pair =
            |place: &&str| (access(place, AccessKind::Write, "app.js"), access(place, AccessKind::Read, "clock.js"));
        let mut others: Vec<(Access, Access)> = places.iter().map(pair).collect();
        let (first, second) = others.remove(0);
        let shared = SharedPlace { place: first.place.clone(), first, second, further: others.len(), others };
        let cause = ConflictReason::Place(Box::new(shared));
        Reversal { first: "a".into(), second: "b".into(), with: Vec::new(), cause }
    }

    fn ended(dom: &str, exceptions: &[&str]) -> Execution {
        let exceptions = exceptions.iter().map(ToString::to_string).collect();
        Execution {
            outcome: FinalState { dom: dom.into(), exceptions, ..FinalState::default() },
            ..Execution::default()
        }
    }

    fn entry(reason: &str, place: Option<&str>, at: Option<&str>, error: Option<&str>) -> OwnReason {
        let own = |text: Option<&str>| text.map(str::to_string);
        OwnReason { reason: reason.into(), place: own(place), at: own(at), error: own(error) }
    }

    /// What a judge with these entries says of a pair that shares these places, the first of which is the one that is named.
    fn judged(entries: &[OwnReason], places: &[&str], dom: &str, exceptions: &[&str]) -> (Outcome, String) {
        let judge = Judge::default().with(Box::new(OwnReasons(entries.to_vec())));
        let judgement = judge.judge(&ended("", &[]), &ended(dom, exceptions), &reversal(places));
        let own = judgement.labels.iter().find(|label| label.filter == OwnReasons::NAME);
        (judgement.outcome, own.map(|label| label.explanation.clone()).unwrap_or_default())
    }

    fn harmless(why: &str) -> (Outcome, String) {
        (Outcome::Harmless, why.to_string())
    }

    fn harmful(harms: &[Harm]) -> (Outcome, String) {
        (Outcome::Harmful(harms.to_vec()), String::new())
    }

    #[test]
    fn a_place_is_harmless_unless_the_two_events_share_another_one() {
        let clock = entry("it may be late", Some("text of <p#clock>"), None, None);
        assert_eq!(judged(&[], &["clock"], "late", &[]), harmful(&[Harm::Page]));
        assert_eq!(judged(from_ref(&clock), &["clock"], "late", &[]), harmless("it may be late"));
        assert_eq!(judged(from_ref(&clock), &["clock", "results"], "late", &[]), harmful(&[Harm::Page]));
        let results = entry("so may these", Some("text of <p#res*>"), None, None);
        assert_eq!(
            judged(&[clock, results], &["clock", "results"], "late", &[]),
            harmless("it may be late; so may these")
        );
    }

    #[test]
    fn a_position_is_that_of_either_event() {
        for at in ["clock.js:*", "app.js:1"] {
            let entry = entry("known", None, Some(at), None);
            assert_eq!(judged(&[entry], &["clock"], "late", &[]), harmless("known"), "{at}");
        }
        let elsewhere = entry("known", None, Some("menu.js:*"), None);
        assert_eq!(judged(&[elsewhere], &["clock"], "late", &[]), harmful(&[Harm::Page]));
        let both = |place| entry("known", Some(place), Some("clock.js:*"), None);
        assert_eq!(judged(&[both("text of <p#clock>")], &["clock"], "late", &[]), harmless("known"));
        assert_eq!(judged(&[both("text of <p#menu>")], &["clock"], "late", &[]), harmful(&[Harm::Page]));
    }

    #[test]
    fn an_error_is_harmless_and_what_else_differs_is_not() {
        let aborted = entry("the user went on", None, None, Some("AbortError: *"));
        let errors = |others: &[OwnReason], dom: &str, texts: &[&str]| {
            judged(&[from_ref(&aborted), others].concat(), &["clock"], dom, texts)
        };
        assert_eq!(errors(&[], "", &["AbortError: gone"]), harmless("the user went on"));
        assert_eq!(errors(&[], "", &["AbortError: gone", "TypeError: x"]), harmful(&[Harm::Exceptions]));
        let x = entry("known", None, None, Some("TypeError: x"));
        assert_eq!(errors(&[x], "", &["AbortError: gone", "TypeError: x"]), harmless("the user went on; known"));
        // The finding is about the page alone: without that difference it has not come back.
        assert_eq!(errors(&[], "late", &["AbortError: gone"]), harmful(&[Harm::Page]));
    }

    #[test]
    fn an_error_can_be_that_of_one_position_only() {
        let of = |at| entry("known", None, Some(at), Some("TypeError: *"));
        assert_eq!(judged(&[of("clock.js:*")], &["clock"], "", &["TypeError: x"]), harmless("known"));
        assert_eq!(judged(&[of("menu.js:*")], &["clock"], "", &["TypeError: x"]), harmful(&[Harm::Exceptions]));
        // It says nothing of the place.
        assert_eq!(judged(&[of("clock.js:*")], &["clock"], "late", &[]), harmful(&[Harm::Page]));
    }

    #[test]
    fn what_is_not_known_of_a_pair_is_not_excused() {
        let all = OwnReasons(vec![entry("all", Some("*"), None, None)]);
        let judge = Judge::default().with(Box::new(all));
        let outcome = |reversal: &Reversal| judge.judge(&ended("", &[]), &ended("late", &[]), reversal).outcome;
        assert_eq!(outcome(&reversal(&["clock"])), Outcome::Harmless);
        let opaque = Reversal { cause: ConflictReason::Opaque { reason: "eval".into() }, ..reversal(&["clock"]) };
        assert_eq!(outcome(&opaque), Outcome::Harmful(vec![Harm::Page]));
        let mut many = reversal(&["clock", "results"]);
        if let ConflictReason::Place(shared) = &mut many.cause {
            shared.further = 30;
        }
        assert_eq!(outcome(&many), Outcome::Harmful(vec![Harm::Page]), "there are places that are not named");
    }
}
