//! [`Step::Drag`]: the button is pressed in one place and let go in another, which selects what lies between.

use super::{Kind, Step, Target, TextEffect};

pub struct Drag<'a> {
    pub from: &'a Target,
    pub to: &'a Target,
}

impl Kind for Drag<'_> {
    fn key(&self) -> &'static str {
        "drag"
    }

    fn toml_value(&self) -> String {
        format!("{{ from = {}, to = {} }}", self.from.toml_value(), self.to.toml_value())
    }

    fn label(&self) -> String {
        format!("drag {} to {}", self.from.label(), self.to.label())
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
        vec![self.from, self.to]
    }
}
