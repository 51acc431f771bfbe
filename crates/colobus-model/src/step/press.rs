//! [`Step::Press`]: a key with modifiers.

use super::{Kind, Step, Target, TextEffect, toml_string};
use crate::{Chord, KeyName};

pub struct Press(pub Chord);

impl Kind for Press {
    fn key(&self) -> &'static str {
        "press"
    }

    fn toml_value(&self) -> String {
        toml_string(&self.0.to_string())
    }

    fn label(&self) -> String {
        format!("press {}", self.0)
    }

    fn effect(&self) -> TextEffect {
        let Press(chord) = *self;
        let command = chord.is_command();
        match chord.name {
            KeyName::Backspace | KeyName::Delete => TextEffect::Deletes,
            KeyName::Enter | KeyName::Tab | KeyName::Character(' ') => TextEffect::Inserts,
            KeyName::Home
            | KeyName::End
            | KeyName::PageUp
            | KeyName::PageDown
            | KeyName::ArrowLeft
            | KeyName::ArrowRight
            | KeyName::ArrowUp
            | KeyName::ArrowDown => {
                if chord.modifiers.shift {
                    TextEffect::Selects
                } else {
                    TextEffect::Moves
                }
            }
            KeyName::Character('a' | 'A') if command => TextEffect::Selects,
            KeyName::Character('x' | 'X') if command => TextEffect::Deletes,
            KeyName::Character('z' | 'Z' | 'y' | 'Y') if command => TextEffect::Undoes,
            KeyName::Character(_) if !command => TextEffect::Inserts,
            _ => TextEffect::Unknown,
        }
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
