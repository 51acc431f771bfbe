//! [`KeyName`]: a key as people name it.

use std::fmt;
use std::str::FromStr;

use super::Key;
use super::table::{self, NAMED};

/// The name of a key: that of a key that does something, or the character that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyName {
    Enter,
    Tab,
    Backspace,
    Delete,
    Insert,
    Escape,
    Home,
    End,
    PageUp,
    PageDown,
    ArrowLeft,
    ArrowUp,
    ArrowRight,
    ArrowDown,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
    F10,
    F11,
    F12,
    CapsLock,
    NumLock,
    ScrollLock,
    Pause,
    PrintScreen,
    ContextMenu,
    Shift,
    Control,
    Alt,
    Meta,
    /// Any character that is not a control character; `Space` in text if it is a space.
    Character(char),
}

/// A word that names no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey;

impl FromStr for KeyName {
    type Err = UnknownKey;

    fn from_str(name: &str) -> Result<KeyName, UnknownKey> {
        if let Some(character) = single(name) {
            return if character.is_control() { Err(UnknownKey) } else { Ok(KeyName::Character(character)) };
        }
        if name == table::SPACE {
            return Ok(KeyName::Character(' '));
        }
        NAMED.iter().find(|row| row.text == name).map(|row| row.name).ok_or(UnknownKey)
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyName::Character(' ') => f.write_str(table::SPACE),
            KeyName::Character(character) => write!(f, "{character}"),
            named => f.write_str(table::find(*named).map_or("", |row| row.text)),
        }
    }
}

impl KeyName {
    /// The key of a US keyboard; `None` for a character that it does not write.
    pub fn on_keyboard(self) -> Option<Key> {
        let key = |key: String, code: &str, virtual_code| Some(Key { key, code: code.to_string(), virtual_code });
        match self {
            KeyName::Character(character) => {
                let row = table::writing(character)?;
                key(character.to_string(), row.code, row.virtual_code)
            }
            named => {
                let row = table::find(named)?;
                key(row.text.to_string(), row.code, row.virtual_code)
            }
        }
    }

    /// The key of a US keyboard, or of another keyboard that has one for this character: the page hears no code of it.
    pub fn key(self) -> Key {
        let elsewhere = || Key { key: self.to_string(), code: String::new(), virtual_code: 0 };
        self.on_keyboard().unwrap_or_else(elsewhere)
    }

    /// Whether a US keyboard has it only together with Shift.
    pub(super) fn needs_shift(self) -> bool {
        matches!(self, KeyName::Character(character)
            if table::writing(character).is_some_and(|row| row.plain != character))
    }

    /// The same key while Shift is held: `!` for `1`.
    pub(super) fn shifted(self) -> KeyName {
        match self {
            KeyName::Character(character) => {
                let row = table::writing(character).filter(|row| row.plain == character);
                KeyName::Character(row.map_or(character, |row| row.shifted))
            }
            named => named,
        }
    }
}

/// The only character of a text.
pub(super) fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}
