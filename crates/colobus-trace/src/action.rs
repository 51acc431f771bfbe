//! [`Action`]: something a user does, as data. A name and the steps that make it up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A logical thing a user does, such as "toggle bold on the line before". Its steps are not atomic: messages of other
/// users may arrive between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
}

impl Action {
    pub fn new(name: impl Into<String>, steps: Vec<Step>) -> Action {
        Action { name: name.into(), steps, deletes: false }
    }

    /// Whether it types fresh words.
    pub fn types_tokens(&self) -> bool {
        self.steps.iter().any(|step| step.tokens() > 0)
    }
}

/// One trusted input, or one wait, of a user. In a configuration a table with one key: `{ press = "Shift+Home" }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// A key with modifiers: `"Enter"`, `"Shift+Home"`, `"Control+b"`.
    Press(String),
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

/// Where a pointer goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// The middle of the first visible element that matches this CSS selector.
    Selector(String),
    /// A place in the viewport, in CSS pixels.
    Point(Point),
}

/// A place in the viewport, in CSS pixels from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    pub x: u32,
    pub y: u32,
}
