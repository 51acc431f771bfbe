//! What users might do on a page, from what can be seen of it. Whether it does anything is tried afterwards.

use colobus_model::{Action, Chord, Inside, KeyName, SelectTarget, Step, Target};
use colobus_world::{Button, Draggable, Editable, Landmark, Survey};

/// More buttons than this make a first search too long.
const MOST_BUTTONS: usize = 12;
const MOST_ITEMS: usize = 2;
/// Buttons of an entry that was submitted.
const MOST_ENTRY_BUTTONS: usize = 4;
/// Fields beside the main one.
const MOST_FIELDS: usize = 3;

/// The name of the action that takes the last thing back.
pub const UNDO: &str = "undo";

/// The place where most of the writing is done.
pub fn main_editable(survey: &Survey) -> Option<&Editable> {
    survey.editables.iter().max_by_key(|editable| editable.area)
}

/// A button that opens something, and what can be clicked in there.
pub struct Menu {
    pub button: String,
    pub items: Vec<Button>,
}

/// The buttons that are tried.
pub fn buttons(survey: &Survey) -> impl Iterator<Item = &Button> {
    survey.buttons.iter().take(MOST_BUTTONS)
}

/// What users might do, the plainest first.
pub fn actions(survey: &Survey, menus: &[Menu]) -> Vec<Action> {
    let editable = main_editable(survey);
    let mut actions = editable.map(writing).unwrap_or_default();
    let clicking = |label: &str, selectors: &[&String]| {
        let mut steps: Vec<Step> =
            selectors.iter().map(|selector| Step::Click(Target::Selector(selector.to_string()))).collect();
        if editable.is_some() {
            steps.insert(0, Step::Select(SelectTarget::LineBefore));
            steps.push(Step::Press(Chord::plain(KeyName::ArrowRight)));
        }
        Action::new(name_of(label, selectors, editable.is_some()), steps)
    };
    for button in buttons(survey) {
        match menus.iter().find(|menu| menu.button == button.selector) {
            Some(menu) => actions.extend(menu.items.iter().take(MOST_ITEMS).map(|item| {
                clicking(&format!("{} {}", button.label, item.label), &[&button.selector, &item.selector])
            })),
            None => actions.push(clicking(&button.label, &[&button.selector])),
        }
    }
    for canvas in &survey.canvases {
        actions.push(Action::new(format!("click on {canvas}"), vec![Step::Click(Target::Selector(canvas.clone()))]));
        // Two strokes that cross: what is drawn later is on top.
        for (name, from, to) in [("down", (20, 20), (80, 80)), ("up", (20, 80), (80, 20))] {
            let at = |(x, y)| Target::Inside(Inside { on: canvas.clone(), x, y });
            let stroke = Step::Drag { from: at(from), to: at(to) };
            actions.push(Action::new(format!("draw {name} on {canvas}"), vec![stroke]));
        }
    }
    for Draggable { selector, label, to } in survey.draggables.iter().take(MOST_ITEMS) {
        let drag = Step::Drag { from: Target::Selector(selector.clone()), to: Target::Selector(to.clone()) };
        actions.push(Action::new(format!("drag {}", name_of(label, &[selector], false)), vec![drag]));
    }
    numbered(actions)
}

/// What users do where they submit what they write: fill in each field, submit it in each way, and use what stands there `later`, once
/// something was submitted.
pub fn actions_of_forms(survey: &Survey, submit: &[Step], later: &Survey) -> Vec<Action> {
    let filling = main_editable(survey).map(|main| filling_in(survey, main, submit)).unwrap_or_default();
    numbered([filling, using_entries(survey, later)].concat())
}

fn filling_in(survey: &Survey, main: &Editable, submit: &[Step]) -> Vec<Action> {
    let written = |then: &[Step]| [&[Step::Type(colobus_model::TOKEN.into())], then].concat();
    let click = |selector: &String| Step::Click(Target::Selector(selector.clone()));
    let others: Vec<&Editable> = survey.editables.iter().filter(|field| *field != main).take(MOST_FIELDS).collect();
    // Where there are several fields, an action before may have left its user in another one.
    let in_main = |then: &[Step]| match others[..] {
        [] => written(then),
        _ => [&[click(&main.selector)], &written(then)[..]].concat(),
    };
    let mut actions = vec![Action::new("write a word and submit it", in_main(submit))];
    for Editable { selector, .. } in &others {
        let name = format!("write a word in {} and submit it", place_of(selector));
        actions.push(Action::new(name, [&[click(selector)], &written(submit)[..]].concat()));
    }
    for button in buttons(survey) {
        let click = click(&button.selector);
        if submit != [click.clone()] {
            let name = name_of(&button.label, &[&button.selector], false);
            let name = name.strip_prefix("click ").unwrap_or(&name);
            actions.push(Action::new(format!("write a word and click {name}"), in_main(&[click])));
        }
    }
    actions
}

/// Ticking an entry off, voting for it, deleting it: the buttons that were not there before.
fn using_entries(before: &Survey, after: &Survey) -> Vec<Action> {
    let is_new = |button: &&Button| !before.buttons.iter().any(|known| known.selector == button.selector);
    let clicking = |button: &Button| {
        let name = name_of(&button.label, &[&button.selector], false);
        let name = if name.starts_with("click ") { name } else { format!("click {name}") };
        Action::new(name, vec![Step::Click(Target::Selector(button.selector.clone()))])
    };
    after.buttons.iter().filter(is_new).take(MOST_ENTRY_BUTTONS).map(clicking).collect()
}

/// The actions, with names that are different.
fn numbered(mut actions: Vec<Action>) -> Vec<Action> {
    for index in 1..actions.len() {
        let (before, rest) = actions.split_at_mut(index);
        let same = |name: &str| before.iter().any(|action| action.name == name);
        if same(&rest[0].name) {
            let numbered = (2..).map(|number| format!("{} {number}", rest[0].name)).find(|name| !same(name));
            rest[0].name = numbered.unwrap_or_default();
        }
    }
    actions
}

fn writing(editable: &Editable) -> Vec<Action> {
    let typing = Step::Type(colobus_model::TOKEN.into());
    let press = |key: KeyName| Step::Press(Chord::plain(key));
    let pressing = |key: KeyName| Action::new(key.to_string(), vec![press(key)]);
    if editable.kind == "input" {
        // A field of one line submits what is written with Enter.
        return vec![
            Action::new("write a word", vec![typing.clone()]),
            Action::new("write a word and submit it", vec![typing, press(KeyName::Enter)]),
            pressing(KeyName::Backspace),
        ];
    }
    let undo = Action::new(UNDO, vec![Step::Press(Chord::plain(KeyName::Character('z')).with_control())]);
    let at_start = vec![press(KeyName::Home), typing.clone(), press(KeyName::End)];
    vec![
        Action::new("write a word", vec![typing]),
        Action::new("write at the line start", at_start),
        pressing(KeyName::Enter),
        pressing(KeyName::Backspace),
        undo,
    ]
}

fn name_of(label: &str, selectors: &[&String], on_text: bool) -> String {
    let words: String = label.chars().filter(|c| !c.is_control() && !['▾', '▼'].contains(c)).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    match (selectors, words.is_empty()) {
        ([.., last], true) => format!("click {}", place_of(last)),
        _ if on_text => format!("{} on the line before", words.join(" ")),
        _ => words.join(" "),
    }
}

/// What a selector stands for, in words that can be read: what an attribute says, or a long way through the page as its last element and
/// where it begins.
fn place_of(selector: &str) -> String {
    let attribute = selector.strip_suffix("\"]").and_then(|most| most.split_once("=\""));
    if let Some((_, says)) = attribute.filter(|(_, says)| !says.contains('\\')) {
        return format!("“{says}”");
    }
    let parts: Vec<&str> = selector.split(" > ").collect();
    match parts[..] {
        [first, .., last] => format!("{} in {first}", last.split(':').next().unwrap_or(last)),
        _ => selector.to_string(),
    }
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
            // Inside of a text only what carries a class of its own, such as another user's caret, is not the text.
            let selector = match &landmark.class {
                Some(class) if landmark.mark => class.clone(),
                _ if landmark.written => continue,
                Some(class) if same.is_none() && !landmark.control => class.clone(),
                _ => landmark.selector.clone(),
            };
            if !found.contains(&selector) {
                found.push(selector);
            }
        }
    }
    found
}

/// The same, of what shows the state of a single user: carets and buttons.
pub fn personal(one: &Survey, other: &Survey) -> Vec<String> {
    let wanted = |landmark: &Landmark| landmark.mark || landmark.control;
    restless(&only(one, wanted), &only(other, wanted))
}

/// Bars of buttons that look different after an action: they follow what is at the caret.
pub fn following(before: &Survey, after: &Survey) -> Vec<String> {
    restless(&only(before, |landmark| landmark.bar), &only(after, |landmark| landmark.bar))
}

fn only(survey: &Survey, wanted: fn(&Landmark) -> bool) -> Vec<Landmark> {
    survey.landmarks.iter().filter(|landmark| wanted(landmark)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn landmark(selector: &str, class: Option<&str>, says: &str, written: bool) -> Landmark {
        Landmark {
            selector: selector.into(),
            class: class.map(Into::into),
            says: says.into(),
            place: "0 0 1 1".into(),
            written,
            mark: class == Some(".remote-caret"),
            bar: false,
            control: false,
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
        let names: Vec<String> = actions(&survey, &[]).into_iter().map(|action| action.name).collect();
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
    fn buttons_without_a_label_have_names_that_can_be_read() {
        let way = "#view > div:nth-of-type(1) > table > tbody > tr:nth-of-type(2) > td:nth-of-type(2) > div";
        let survey = Survey {
            editables: vec![Editable { selector: "#cell".into(), kind: "input".into(), area: 10 }],
            buttons: vec![Button { selector: way.into(), label: String::new() }],
            ..Survey::default()
        };
        let enter = vec![Step::Press(Chord::plain(KeyName::Enter))];
        let names: Vec<String> =
            actions_of_forms(&survey, &enter, &survey).into_iter().map(|action| action.name).collect();
        assert_eq!(names, ["write a word and submit it", "write a word and click div in #view"]);
        assert_eq!(name_of("", &[&way.to_string()], false), "click div in #view");
    }

    #[test]
    fn forms_are_submitted_and_cards_are_dragged() {
        let form = Survey {
            editables: vec![Editable { selector: "#name".into(), kind: "input".into(), area: 10 }],
            buttons: vec![
                Button { selector: ".one".into(), label: "Book".into() },
                Button { selector: ".two".into(), label: "Book".into() },
            ],
            ..Survey::default()
        };
        let click = vec![Step::Click(Target::Selector(".one".into()))];
        let names: Vec<String> = actions_of_forms(&form, &click, &form).into_iter().map(|action| action.name).collect();
        assert_eq!(names, ["write a word and submit it", "write a word and click Book"]);
        assert_eq!(actions_of_forms(&form, &click, &form)[0].steps.len(), 2);

        let card = Draggable { selector: ".card".into(), label: "paint".into(), to: "#doing".into() };
        let board = Survey { draggables: vec![card], ..Survey::default() };
        let dragging = actions(&board, &[]);
        assert_eq!(dragging[0].name, "drag paint");
        assert!(matches!(dragging[0].steps[..], [Step::Drag { .. }]));
    }

    #[test]
    fn every_form_is_filled_in_and_entries_are_used() {
        let field = |selector: &str, area| Editable { selector: selector.into(), kind: "input".into(), area };
        let button = |selector: &str, label: &str| Button { selector: selector.into(), label: label.into() };
        let before = Survey {
            editables: vec![field("#good", 9), field("#bad", 10)],
            buttons: vec![button(".add", "Add")],
            ..Survey::default()
        };
        assert_eq!(place_of("input[placeholder=\"What went well\"]"), "“What went well”");
        let enter = vec![Step::Press(Chord::plain(KeyName::Enter))];
        let entry = [button(".add", "Add"), button(".vote", "+1"), button(".delete", "")];
        let later = Survey { buttons: entry.to_vec(), ..before.clone() };
        let all = actions_of_forms(&before, &enter, &later);
        let [main, other, .., vote, delete] = &all[..] else { panic!("two fields, two buttons of an entry") };
        let field = |action: &Action| action.steps[0].to_string();
        assert_eq!((main.name.as_str(), field(main)), ("write a word and submit it", "click #bad".into()));
        assert_eq!((other.name.as_str(), field(other)), ("write a word in #good and submit it", "click #good".into()));
        assert_eq!((vote.name.as_str(), delete.name.as_str()), ("click +1", "click .delete"));
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
