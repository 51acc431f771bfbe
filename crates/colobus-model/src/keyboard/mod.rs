//! The keyboard: [`Key`] as pages hear of it, [`KeyName`] as people name it, [`Modifiers`] that are held, [`Chord`] of
//! both. Configurations and recordings produce them; worlds press them, exports and checks read them. [`table`] is the
//! only list of keys in the project.

mod chord;
mod modifiers;
mod name;
mod table;

use serde::{Deserialize, Serialize};

pub use chord::{Chord, ChordError};
pub use modifiers::{Modifier, Modifiers};
pub use name::KeyName;

/// A key of a keyboard, as `KeyboardEvent` describes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    pub key: String,
    pub code: String,
    pub virtual_code: u32,
}

impl Key {
    /// The key with this name or character on a US keyboard.
    pub fn named(name: &str) -> Option<Key> {
        name.parse().ok().and_then(KeyName::on_keyboard)
    }

    pub fn is_modifier(&self) -> bool {
        matches!(self.key.as_str(), "Shift" | "Control" | "Alt" | "Meta" | "AltGraph" | "CapsLock")
    }

    /// The character that it writes, if it writes one.
    pub fn character(&self) -> Option<char> {
        name::single(&self.key)
    }

    /// What it writes while only Shift, or nothing, is held: Enter writes a line end.
    pub fn text(&self) -> Option<String> {
        if self.key == "Enter" { Some("\r".to_string()) } else { self.character().map(String::from) }
    }

    /// What `KeyboardEvent.location` says: 1 and 2 for the left and the right one of two, 3 for the number pad.
    pub fn location(&self) -> u32 {
        match self.code.as_str() {
            code if code.starts_with("Numpad") => 3,
            code if code.ends_with("Left") && self.is_modifier() => 1,
            code if code.ends_with("Right") && self.is_modifier() => 2,
            _ => 0,
        }
    }
}

/// The characters that the keys of a US keyboard write without Shift, row by row from the top, in the order of the keys.
pub fn keyboard_rows() -> impl Iterator<Item = Vec<char>> {
    table::ROWS.iter().map(|row| row.iter().map(|key| key.plain).collect())
}
