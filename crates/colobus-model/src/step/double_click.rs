//! [`Step::DoubleClick`]: two clicks quickly after one another, which select a word.

use super::{Kind, Step, Target, TextEffect};

pub struct DoubleClick<'a>(pub &'a Target);

impl Kind for DoubleClick<'_> {
    fn key(&self) -> &'static str {
        "double_click"
    }

    fn toml_value(&self) -> String {
        self.0.toml_value()
    }

    fn label(&self) -> String {
        format!("double click {}", self.0.label())
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
        vec![self.0]
    }
}
