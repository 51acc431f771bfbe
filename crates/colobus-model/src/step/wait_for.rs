//! [`Step::WaitFor`]: a wait until an element is visible.

use super::{Kind, Step, Target, TextEffect, toml_string};

pub struct WaitFor<'a>(pub &'a str);

impl Kind for WaitFor<'_> {
    fn key(&self) -> &'static str {
        "wait_for"
    }

    fn toml_value(&self) -> String {
        toml_string(self.0)
    }

    fn label(&self) -> String {
        format!("wait for {}", self.0)
    }

    fn effect(&self) -> TextEffect {
        TextEffect::Nothing
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
