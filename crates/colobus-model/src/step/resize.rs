//! [`Step::Resize`]: another size of the window.

use super::{Kind, Step, Target, TextEffect};
use crate::Viewport;

pub struct Resize(pub Viewport);

impl Kind for Resize {
    fn key(&self) -> &'static str {
        "resize"
    }

    fn toml_value(&self) -> String {
        format!("{{ width = {}, height = {} }}", self.0.width, self.0.height)
    }

    fn label(&self) -> String {
        format!("resize to {} x {}", self.0.width, self.0.height)
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
