//! [`Step`]: one thing that a user does, as data. A file for each kind says what is particular to it: its key and value in
//! a configuration, its label, what it does to the text. Configurations and recordings produce steps; worlds perform them.

mod click;
mod drag;
mod effect;
mod evaluate;
mod paste;
mod press;
mod resize;
mod select;
mod target;
mod typing;
mod wait_for;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::foreign::string_literal;
use crate::{Chord, ClientId, TOKEN, Viewport};

use click::Clicks;
pub use effect::TextEffect;
pub use select::SelectTarget;
pub use target::{Inside, Point, Target};

/// What stands for the name of a client in a text that every client types: users who share a name cannot be told apart.
pub const CLIENT: &str = "{client}";

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

/// What is particular to one kind of step. Every method is required: a new kind has to answer all of them.
trait Kind {
    /// Its key in a configuration, which is also its name in the JSON of a trace.
    fn key(&self) -> &'static str;
    /// Its value in a configuration, in the notation of TOML, on one line.
    fn toml_value(&self) -> String;
    /// What it does, in a few words.
    fn label(&self) -> String;
    /// What it does to the text, as far as that can be known without asking the application.
    fn effect(&self) -> TextEffect;
    /// The text that it inserts, in which `{token}` stands for a fresh word.
    fn inserted_text(&self) -> Option<&str>;
    /// The step with another text in the place of the one that it inserts.
    fn with_inserted_text(&self, text: String) -> Option<Step>;
    /// Where it needs the pointer.
    fn targets(&self) -> Vec<&Target>;
}

impl Step {
    fn kind(&self) -> Box<dyn Kind + '_> {
        match self {
            Step::Press(chord) => Box::new(press::Press(*chord)),
            Step::Type(text) => Box::new(typing::Typing(text)),
            Step::Click(target) => Box::new(Clicks::Once(target)),
            Step::DoubleClick(target) => Box::new(Clicks::Twice(target)),
            Step::Drag { from, to } => Box::new(drag::Drag { from, to }),
            Step::Paste(text) => Box::new(paste::Paste(text)),
            Step::Select(what) => Box::new(select::Select(*what)),
            Step::Evaluate(script) => Box::new(evaluate::Evaluate(script)),
            Step::WaitFor(selector) => Box::new(wait_for::WaitFor(selector)),
            Step::Resize(size) => Box::new(resize::Resize(*size)),
        }
    }

    /// What it does to the text, as far as that can be known without asking the application.
    pub fn effect(&self) -> TextEffect {
        self.kind().effect()
    }

    /// The word for its kind in a configuration: `double_click`.
    pub fn key(&self) -> &'static str {
        self.kind().key()
    }

    /// As it stands in a configuration: `{ press = "Shift+Home" }`.
    pub fn to_toml(&self) -> String {
        let kind = self.kind();
        format!("{{ {} = {} }}", kind.key(), kind.toml_value())
    }

    /// Where it needs the pointer.
    pub fn targets(&self) -> Vec<Target> {
        self.kind().targets().into_iter().cloned().collect()
    }

    /// The text that it inserts; `None` if inserting text is not what this kind of step is for.
    pub fn inserted_text(&self) -> Option<String> {
        self.kind().inserted_text().map(str::to_string)
    }

    /// The step with another text in the place of the one that it inserts; `None` if it inserts none.
    pub fn with_inserted_text(&self, text: String) -> Option<Step> {
        self.kind().with_inserted_text(text)
    }

    /// The step with the name of this client where it asks for that.
    pub fn with_client(&self, client: ClientId) -> Step {
        let named = self.inserted_text().map(|text| text.replace(CLIENT, &client.to_string()));
        named.and_then(|text| self.with_inserted_text(text)).unwrap_or_else(|| self.clone())
    }

    /// How many fresh words the step types.
    pub fn tokens(&self) -> usize {
        self.kind().inserted_text().map_or(0, |text| text.matches(TOKEN).count())
    }

    /// The step with these words, in order, where it asks for fresh ones.
    pub fn with_tokens(&self, words: &[String]) -> Step {
        let kind = self.kind();
        let filled = |text: &str| words.iter().fold(text.to_string(), |text, word| text.replacen(TOKEN, word, 1));
        let step = kind.inserted_text().map(filled).and_then(|text| kind.with_inserted_text(text));
        step.unwrap_or_else(|| self.clone())
    }
}

impl fmt::Display for Step {
    /// In a few words: `press Shift+Home`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind().label())
    }
}

/// A string of TOML on one line.
pub fn toml_string(text: &str) -> String {
    string_literal(text)
}
