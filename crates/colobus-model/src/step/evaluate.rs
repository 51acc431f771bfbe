//! [`Step::Evaluate`]: JavaScript in the page. What it does to the text, only the application knows.

use super::{Kind, Step, Target, TextEffect, toml_string};

pub struct Evaluate<'a>(pub &'a str);

impl Kind for Evaluate<'_> {
    fn key(&self) -> &'static str {
        "evaluate"
    }

    fn toml_value(&self) -> String {
        toml_string(self.0)
    }

    fn label(&self) -> String {
        format!("evaluate {}", self.0.lines().next().unwrap_or_default())
    }

    fn effect(&self) -> TextEffect {
        TextEffect::Unknown
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
