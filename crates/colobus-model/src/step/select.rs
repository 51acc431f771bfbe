//! [`Step::Select`]: a selection made with the keyboard.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Kind, Step, Target, TextEffect, toml_string};
use crate::{Chord, KeyName};

pub struct Select(pub SelectTarget);

impl Kind for Select {
    fn key(&self) -> &'static str {
        "select"
    }

    fn toml_value(&self) -> String {
        toml_string(self.0.name())
    }

    fn label(&self) -> String {
        format!("select {}", self.0.name())
    }

    fn effect(&self) -> TextEffect {
        TextEffect::Selects
    }

    fn inserted_text(&self) -> Option<&str> {
        None
    }

    fn with_inserted_text(&self, _: String) -> Option<Step> {
        None
    }

    fn targets(&self) -> Vec<&Target> {
        Vec::new()
    }
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
    /// As it stands in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            SelectTarget::LineBefore => "line-before",
            SelectTarget::LineAfter => "line-after",
            SelectTarget::Word => "word",
            SelectTarget::All => "all",
        }
    }

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
