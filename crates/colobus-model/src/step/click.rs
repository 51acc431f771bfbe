//! [`Step::Click`]: a click on an element or at a point. What it does to the text, only the application knows.

use super::{Kind, Step, Target, TextEffect};

pub struct Click<'a>(pub &'a Target);

impl Kind for Click<'_> {
    fn key(&self) -> &'static str {
        "click"
    }

    fn toml_value(&self) -> String {
        self.0.toml_value()
    }

    fn label(&self) -> String {
        format!("click {}", self.0.label())
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
        vec![self.0]
    }
}
