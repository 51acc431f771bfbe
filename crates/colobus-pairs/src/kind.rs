//! [`Kind`]: what actions have in common that are likely to go wrong together. Read from the steps of an action and from what it
//! changed in phase 1; consumed by [`most_different_first`](crate::most_different_first).

use colobus_compare::Changed;
use colobus_model::{Action, Step};

use crate::EffectMap;

/// Equal kinds: the same steps, whatever is typed, that change about as much of the screen or of the document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    steps: Vec<String>,
    /// The order of magnitude of what it changes when one client acts alone; `None` if that is not known.
    effect: Option<u32>,
}

impl Kind {
    /// Of an action of which only the steps are known.
    pub fn of_steps(action: &Action) -> Kind {
        Kind { steps: action.steps.iter().map(step_kind).collect(), effect: None }
    }

    /// Of the action with this number, in the state after a prefix.
    pub fn in_state(action: &Action, number: usize, prefix: &[usize], effects: &EffectMap) -> Kind {
        Kind { effect: effects.effect(prefix, number).map(magnitude), ..Kind::of_steps(action) }
    }
}

/// Letters are alike, words are alike; a space or a new line is neither.
fn step_kind(step: &Step) -> String {
    let Some(text) = step.inserted_text() else { return step.to_string() };
    let mut characters = text.chars();
    let content = match (characters.next(), characters.next()) {
        (Some(one), None) if one.is_alphanumeric() => "a letter".to_string(),
        (Some(one), None) => one.to_string(),
        _ if text.contains('\n') => "lines".to_string(),
        _ => "words".to_string(),
    };
    format!("{} {content}", step.key())
}

/// None, one, 2 to 4, 5 to 16, 17 to 64, … pixels or lines.
fn magnitude(effect: &Changed) -> u32 {
    let size = match effect {
        Changed::Pixels(pixels) => pixels.len(),
        Changed::Lines(lines) => lines.ranges().iter().map(|(from, to)| to - from).sum(),
    };
    let mut magnitude = 0;
    let mut holds = 0;
    while holds < size {
        magnitude += 1;
        holds = if holds == 0 { 1 } else { holds.saturating_mul(4) };
    }
    magnitude
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_compare::changed;
    use colobus_model::{Aspect, Observation};
    use serde_json::json;

    fn action(steps: &[Step]) -> Action {
        Action::new("any", steps.to_vec())
    }

    fn typed(text: &str) -> Kind {
        Kind::of_steps(&action(&[Step::Type(text.into())]))
    }

    #[test]
    fn what_is_typed_matters_as_little_as_it_does_to_an_editor() {
        assert_eq!(typed("a"), typed("7"));
        assert_eq!(typed("on "), typed("{token}"));
        assert_ne!(typed("a"), typed("on "));
        assert_ne!(typed("a"), typed(" "));
        assert_ne!(typed("one\ntwo"), typed("one two"));
        assert_ne!(typed("a"), Kind::of_steps(&action(&[Step::Paste("a".into())])));
    }

    #[test]
    fn every_key_and_every_button_is_a_kind_of_its_own() {
        let press = |chord: &str| Kind::of_steps(&action(&[Step::Press(chord.parse().unwrap())]));
        assert_ne!(press("Enter"), press("Tab"));
        assert_eq!(press("Enter"), press("Enter"));
    }

    #[test]
    fn effects_are_compared_by_their_order_of_magnitude() {
        let document = |lines: usize| {
            let lines: Vec<usize> = (0..lines).collect();
            Observation { state: Some(json!(lines)), ..Observation::default() }
        };
        let lost = |lines: usize| magnitude(&changed(&document(lines), &document(1), Aspect::State, &[]).unwrap());
        assert_eq!((lost(1), lost(2)), (0, 2), "a line that goes takes the comma of the one before along");
        assert_eq!(lost(4), 2);
        assert_eq!(lost(5), 3);
        assert_eq!(lost(40), 4);
    }
}
