//! [`Step::Type`]: text, key by key.

use super::{Kind, Step, Target, TextEffect, toml_string};

pub struct Typing<'a>(pub &'a str);

impl Kind for Typing<'_> {
    fn key(&self) -> &'static str {
        "type"
    }

    fn toml_value(&self) -> String {
        toml_string(self.0)
    }

    fn label(&self) -> String {
        format!("type {:?}", self.0)
    }

    fn effect(&self) -> TextEffect {
        TextEffect::Inserts
    }

    fn inserted_text(&self) -> Option<&str> {
        Some(self.0)
    }

    fn with_inserted_text(&self, text: String) -> Option<Step> {
        Some(Step::Type(text))
    }

    fn targets(&self) -> Vec<&Target> {
        Vec::new()
    }
}
