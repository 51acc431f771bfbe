//! Keys by their names alone, as other formats have them.

use crate::Key;

const NAMED: [(&str, u32); 22] = [
    ("Enter", 13),
    ("Tab", 9),
    ("Backspace", 8),
    ("Delete", 46),
    ("Escape", 27),
    ("ArrowLeft", 37),
    ("ArrowUp", 38),
    ("ArrowRight", 39),
    ("ArrowDown", 40),
    ("Home", 36),
    ("End", 35),
    ("PageUp", 33),
    ("PageDown", 34),
    ("Insert", 45),
    ("F1", 112),
    ("F2", 113),
    ("F3", 114),
    ("F4", 115),
    ("F5", 116),
    ("F10", 121),
    ("F11", 122),
    ("F12", 123),
];
const MODIFIERS: [(&str, &str, u32); 4] =
    [("Shift", "ShiftLeft", 16), ("Control", "ControlLeft", 17), ("Alt", "AltLeft", 18), ("Meta", "MetaLeft", 91)];

/// The key with this name or character on the usual keyboard; nothing if there is none.
pub fn key(name: &str) -> Option<Key> {
    let made = |code: String, virtual_code: u32| Some(Key { key: name.to_string(), code, virtual_code });
    if let Some((_, code)) = NAMED.iter().find(|(known, _)| *known == name) {
        return made(name.to_string(), *code);
    }
    if let Some((_, side, code)) = MODIFIERS.iter().find(|(known, ..)| *known == name) {
        return made((*side).to_string(), *code);
    }
    let mut characters = name.chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    match character {
        'a'..='z' | 'A'..='Z' => {
            let upper = character.to_ascii_uppercase();
            made(format!("Key{upper}"), u32::from(upper))
        }
        '0'..='9' => made(format!("Digit{character}"), u32::from(character)),
        ' ' => made("Space".to_string(), 32),
        _ => None,
    }
}
