//! [`Step::Paste`]: text, at once.

use super::{Kind, Step, Target, TextEffect, toml_string};

pub struct Paste<'a>(pub &'a str);

impl Kind for Paste<'_> {
    fn key(&self) -> &'static str {
        "paste"
    }

    fn toml_value(&self) -> String {
        toml_string(self.0)
    }

    fn label(&self) -> String {
        format!("paste {:?}", self.0)
    }

    fn effect(&self) -> TextEffect {
        TextEffect::Inserts
    }

    fn inserted_text(&self) -> Option<&str> {
        Some(self.0)
    }

    fn with_inserted_text(&self, text: String) -> Option<Step> {
        Some(Step::Paste(text))
    }

    fn targets(&self) -> Vec<&Target> {
        Vec::new()
    }
}
