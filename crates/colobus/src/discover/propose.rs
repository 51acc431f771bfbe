//! What users might do on a page, from what can be seen of it. Whether it does anything is tried afterwards.

use colobus_driver::{Editable, Landmark, Survey};
use colobus_trace::{Action, SelectTarget, Step, Target};

/// More buttons than this make a first search too long.
const MOST_BUTTONS: usize = 12;

/// The name of the action that takes the last thing back.
pub const UNDO: &str = "undo";

/// The place where most of the writing is done.
pub fn main_editable(survey: &Survey) -> Option<&Editable> {
    survey.editables.iter().max_by_key(|editable| editable.area)
}

/// What users might do, the plainest first.
pub fn actions(survey: &Survey) -> Vec<Action> {
    let mut actions = Vec::new();
    let editable = main_editable(survey);
    if let Some(editable) = editable {
        actions.extend(writing(editable));
    }
    for button in survey.buttons.iter().take(MOST_BUTTONS) {
        let click = Step::Click(Target::Selector(button.selector.clone()));
        let steps = match editable {
            Some(_) => vec![Step::Select(SelectTarget::LineBefore), click, Step::Press("ArrowRight".into())],
            None => vec![click],
        };
        actions.push(Action::new(name_of(&button.label, &button.selector), steps));
    }
    for canvas in &survey.canvases {
        actions.push(Action::new(format!("click on {canvas}"), vec![Step::Click(Target::Selector(canvas.clone()))]));
    }
    let mut seen = std::collections::BTreeSet::new();
    actions.retain(|action| seen.insert(action.name.clone()));
    actions
}

fn writing(editable: &Editable) -> Vec<Action> {
    let typing = Step::Type(colobus_trace::TOKEN.into());
    let press = |key: &str| Action::new(key, vec![Step::Press(key.into())]);
    if editable.kind == "input" {
        // A field of one line hands in what is written with Enter.
        return vec![
            Action::new("write a word", vec![typing.clone()]),
            Action::new("write a word and hand it in", vec![typing, Step::Press("Enter".into())]),
            press("Backspace"),
        ];
    }
    let undo = Action::new(UNDO, vec![Step::Press("Control+z".into())]);
    let at_start = vec![Step::Press("Home".into()), typing.clone(), Step::Press("End".into())];
    vec![
        Action::new("write a word", vec![typing]),
        Action::new("write at the line start", at_start),
        press("Enter"),
        press("Backspace"),
        undo,
    ]
}

fn name_of(label: &str, selector: &str) -> String {
    let words: String = label.chars().filter(|c| !c.is_control()).collect();
    if words.trim().is_empty() { format!("click {selector}") } else { format!("{} on the line before", words.trim()) }
}

/// Selectors of what differs although nothing was done: between two users of one document, or two visits.
pub fn restless(one: &[Landmark], other: &[Landmark]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (here, there) in [(one, other), (other, one)] {
        for landmark in here {
            let same = there.iter().find(|candidate| candidate.selector == landmark.selector);
            let moved = same.is_none_or(|same| (&same.says, &same.place) != (&landmark.says, &landmark.place));
            if !moved {
                continue;
            }
            // Inside of a text only what carries a class of its own, such as somebody's caret, is not the text.
            let selector = match (&landmark.class, landmark.written) {
                (Some(class), true) if says_nothing(landmark) => class.clone(),
                (_, true) => continue,
                (Some(class), false) if same.is_none() => class.clone(),
                _ => landmark.selector.clone(),
            };
            if !found.contains(&selector) {
                found.push(selector);
            }
        }
    }
    found
}

/// Marks have no text, or a name that is drawn beside them.
fn says_nothing(landmark: &Landmark) -> bool {
    let class = landmark.class.as_deref().unwrap_or_default();
    ["cursor", "caret", "selection", "collab", "presence"].iter().any(|word| class.to_lowercase().contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_driver::Button;

    fn landmark(selector: &str, class: Option<&str>, says: &str, written: bool) -> Landmark {
        Landmark {
            selector: selector.into(),
            class: class.map(Into::into),
            says: says.into(),
            place: "0 0 1 1".into(),
            written,
        }
    }

    #[test]
    fn an_editor_with_a_toolbar_is_written_in_and_formatted() {
        let survey = Survey {
            editables: vec![
                Editable { selector: "#title".into(), kind: "input".into(), area: 10 },
                Editable { selector: "#text".into(), kind: "contenteditable".into(), area: 1000 },
            ],
            buttons: vec![
                Button { selector: ".b".into(), label: "Bold".into() },
                Button { selector: ".x".into(), label: String::new() },
            ],
            ..Survey::default()
        };
        assert_eq!(main_editable(&survey).unwrap().selector, "#text");
        let names: Vec<String> = actions(&survey).into_iter().map(|action| action.name).collect();
        assert_eq!(
            names,
            [
                "write a word",
                "write at the line start",
                "Enter",
                "Backspace",
                "undo",
                "Bold on the line before",
                "click .x"
            ]
        );
    }

    #[test]
    fn what_differs_by_itself_is_found_and_text_is_not() {
        let a = [landmark("#clock", None, "12:00", false), landmark("p", None, "hello", true)];
        let b = [
            landmark("#clock", None, "12:01", false),
            landmark("p", None, "hello!", true),
            landmark("p > i", Some(".remote-caret"), "", true),
            landmark(".user", Some(".user"), "Ada", false),
        ];
        assert_eq!(restless(&a, &b), ["#clock", ".remote-caret", ".user"]);
    }
}
