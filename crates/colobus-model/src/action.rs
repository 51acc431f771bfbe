//! [`Action`]: something a user does, as data. A name and the steps that make it up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Chord, KeyName, Viewport};

/// A logical thing a user does, such as "toggle bold on the line before". Its steps are not atomic: messages of other
/// users may arrive between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// What reports and `colobus list` call it. Unique within a configuration.
    pub name: String,
    /// What the user does, in order. At least one.
    pub steps: Vec<Step>,
    /// Whether it may take away text that is not selected and not beside the caret: then nobody demands that what others
    /// type meanwhile is still there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deletes: bool,
    /// Whether it should leave everything as it was, such as undo and redo after one another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub neutral: bool,
    /// Whether it ends with taking back what it did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl Action {
    pub fn new(name: impl Into<String>, steps: Vec<Step>) -> Action {
        Action { name: name.into(), steps, deletes: false, neutral: false, undone: false }
    }

    /// Whether it ends where it began, as far as its user is concerned.
    pub fn returns(&self) -> bool {
        self.neutral || self.undone
    }

    /// Whether it types fresh words.
    pub fn types_tokens(&self) -> bool {
        self.steps.iter().any(|step| step.tokens() > 0)
    }

    /// Only some of its steps, by their index. The name says which, counted from one: `bold[1+3]`.
    pub fn part(&self, steps: &[usize]) -> Action {
        let kept = steps.iter().filter_map(|index| Some((index + 1, self.steps.get(*index)?.clone())));
        let (numbers, steps): (Vec<usize>, Vec<Step>) = kept.unzip();
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        // Half of what leads back to the beginning does not.
        Action { deletes: self.deletes, ..Action::new(format!("{}[{}]", self.name, numbers.join("+")), steps) }
    }

    /// The one of this name, or the part of one that the name says.
    pub fn named(name: &str, actions: &[Action]) -> Option<Action> {
        let called = |name: &str| actions.iter().find(|action| action.name == name);
        if let Some(whole) = called(name) {
            return Some(whole.clone());
        }
        let (whole, numbers) = name.strip_suffix(']')?.rsplit_once('[')?;
        let whole = called(whole)?;
        let index = |number: &str| number.parse::<usize>().ok()?.checked_sub(1).filter(|i| *i < whole.steps.len());
        let steps: Vec<usize> = numbers.split('+').map(index).collect::<Option<_>>()?;
        Some(whole.part(&steps))
    }
}

/// One trusted input, or one wait, of a user. In a configuration a table with one key: `{ press = "Shift+Home" }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// A key with modifiers: `"Enter"`, `"Shift+Home"`, `"Control+b"`.
    Press(Chord),
    /// Text, key by key, as from a keyboard.
    Type(String),
    /// A click on an element (its middle) or at a point of the viewport.
    Click(Target),
    /// Two clicks quickly after one another.
    DoubleClick(Target),
    /// Press the button on one place, move, let go at another.
    Drag { from: Target, to: Target },
    /// Insert text as if it came from the clipboard.
    Paste(String),
    /// Extend the selection with the keyboard.
    Select(SelectTarget),
    /// Run JavaScript in the page; a promise is awaited, an exception fails the step.
    Evaluate(String),
    /// Wait until an element is there and visible.
    WaitFor(String),
    /// Give the window another size.
    Resize(Viewport),
}

/// What [`Step::Select`] selects, seen from the caret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SelectTarget {
    /// From the caret to the start of the line (Shift+Home).
    LineBefore,
    /// From the caret to the end of the line (Shift+End).
    LineAfter,
    /// The word before the caret (Control+Shift+ArrowLeft).
    Word,
    /// Everything (Control+A).
    All,
}

impl SelectTarget {
    /// The keys that select it.
    pub fn chord(self) -> Chord {
        match self {
            SelectTarget::LineBefore => Chord::plain(KeyName::Home).with_shift(),
            SelectTarget::LineAfter => Chord::plain(KeyName::End).with_shift(),
            SelectTarget::Word => Chord::plain(KeyName::ArrowLeft).with_shift().with_control(),
            SelectTarget::All => Chord::plain(KeyName::Character('a')).with_control(),
        }
    }
}

/// Where a pointer goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// The middle of the first visible element that matches this CSS selector.
    Selector(String),
    /// A place in the first visible element that matches a CSS selector.
    Inside(Inside),
    /// A place in the viewport, in CSS pixels.
    Point(Point),
}

/// A place in an element, in CSS pixels from its upper left corner: where in a text, or on a canvas.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// CSS selector of the element.
    pub on: String,
    pub x: u32,
    pub y: u32,
}

/// A place in the viewport, in CSS pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub x: u32,
    pub y: u32,
}
