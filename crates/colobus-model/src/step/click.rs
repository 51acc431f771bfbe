//! [`Step::Click`] and [`Step::DoubleClick`]: clicks on an element or at a point. What one does to the text, only the
//! application knows; two quickly after one another select a word.

use super::{Kind, Step, Target, TextEffect};

pub enum Clicks<'a> {
    Once(&'a Target),
    Twice(&'a Target),
}

impl Clicks<'_> {
    fn target(&self) -> &Target {
        match self {
            Clicks::Once(target) | Clicks::Twice(target) => target,
        }
    }
}

impl Kind for Clicks<'_> {
    fn key(&self) -> &'static str {
        match self {
            Clicks::Once(_) => "click",
            Clicks::Twice(_) => "double_click",
        }
    }

    fn toml_value(&self) -> String {
        self.target().toml_value()
    }

    fn label(&self) -> String {
        format!("{} {}", self.key().replace('_', " "), self.target().label())
    }

    fn effect(&self) -> TextEffect {
        match self {
            Clicks::Once(_) => TextEffect::Unknown,
            Clicks::Twice(_) => TextEffect::Selects,
        }
    }

    fn inserted_text(&self) -> Option<&str> {
        None
    }

    fn with_inserted_text(&self, _: String) -> Option<Step> {
        None
    }

    fn targets(&self) -> Vec<&Target> {
        vec![self.target()]
    }
}
