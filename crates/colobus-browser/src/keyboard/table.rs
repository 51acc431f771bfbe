//! The keys of a US keyboard, as the browser wants them described.

use super::Key;

/// Keys that write: name of the key, its virtual key code, what it writes without and with Shift.
const PRINTING: [(&str, u32, char, char); 48] = [
    ("Backquote", 192, '`', '~'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Digit0", 48, '0', ')'),
    ("Minus", 189, '-', '_'),
    ("Equal", 187, '=', '+'),
    ("KeyQ", 81, 'q', 'Q'),
    ("KeyW", 87, 'w', 'W'),
    ("KeyE", 69, 'e', 'E'),
    ("KeyR", 82, 'r', 'R'),
    ("KeyT", 84, 't', 'T'),
    ("KeyY", 89, 'y', 'Y'),
    ("KeyU", 85, 'u', 'U'),
    ("KeyI", 73, 'i', 'I'),
    ("KeyO", 79, 'o', 'O'),
    ("KeyP", 80, 'p', 'P'),
    ("BracketLeft", 219, '[', '{'),
    ("BracketRight", 221, ']', '}'),
    ("Backslash", 220, '\\', '|'),
    ("KeyA", 65, 'a', 'A'),
    ("KeyS", 83, 's', 'S'),
    ("KeyD", 68, 'd', 'D'),
    ("KeyF", 70, 'f', 'F'),
    ("KeyG", 71, 'g', 'G'),
    ("KeyH", 72, 'h', 'H'),
    ("KeyJ", 74, 'j', 'J'),
    ("KeyK", 75, 'k', 'K'),
    ("KeyL", 76, 'l', 'L'),
    ("Semicolon", 186, ';', ':'),
    ("Quote", 222, '\'', '"'),
    ("KeyZ", 90, 'z', 'Z'),
    ("KeyX", 88, 'x', 'X'),
    ("KeyC", 67, 'c', 'C'),
    ("KeyV", 86, 'v', 'V'),
    ("KeyB", 66, 'b', 'B'),
    ("KeyN", 78, 'n', 'N'),
    ("KeyM", 77, 'm', 'M'),
    ("Comma", 188, ',', '<'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
    ("Space", 32, ' ', ' '),
];

/// Keys that do not write (Enter writes a line end): what `KeyboardEvent.key` says and their virtual key codes.
const NAMED: [(&str, u32); 36] = [
    ("Enter", 13),
    ("Tab", 9),
    ("Backspace", 8),
    ("Delete", 46),
    ("Insert", 45),
    ("Escape", 27),
    ("Home", 36),
    ("End", 35),
    ("PageUp", 33),
    ("PageDown", 34),
    ("ArrowLeft", 37),
    ("ArrowUp", 38),
    ("ArrowRight", 39),
    ("ArrowDown", 40),
    ("F1", 112),
    ("F2", 113),
    ("F3", 114),
    ("F4", 115),
    ("F5", 116),
    ("F6", 117),
    ("F7", 118),
    ("F8", 119),
    ("F9", 120),
    ("F10", 121),
    ("F11", 122),
    ("F12", 123),
    ("CapsLock", 20),
    ("NumLock", 144),
    ("ScrollLock", 145),
    ("Pause", 19),
    ("PrintScreen", 44),
    ("ContextMenu", 93),
    ("Shift", 16),
    ("Control", 17),
    ("Alt", 18),
    ("Meta", 91),
];

/// The names that stand for keys, in the order in which an error lists them.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|(name, _)| *name).chain(["Space"])
}

pub fn named(name: &str) -> Option<Key> {
    if name == "Space" {
        return printing(' ');
    }
    let (name, virtual_code) = NAMED.into_iter().find(|(known, _)| *known == name)?;
    // Of the keys that are there twice, the left one.
    let twice = matches!(name, "Shift" | "Control" | "Alt" | "Meta");
    let code = if twice { format!("{name}Left") } else { name.to_string() };
    let text = (name == "Enter").then(|| "\r".to_string());
    Some(Key { key: name.to_string(), code, virtual_code, text, location: twice.into(), needs_shift: false })
}

/// The key that writes this character.
pub fn printing(character: char) -> Option<Key> {
    let (code, virtual_code, plain, _) =
        PRINTING.into_iter().find(|(_, _, plain, shifted)| [*plain, *shifted].contains(&character))?;
    Some(Key {
        key: character.to_string(),
        code: code.to_string(),
        virtual_code,
        text: Some(character.to_string()),
        location: 0,
        needs_shift: character != plain,
    })
}

/// What the key that writes `character` writes together with Shift.
pub fn shifted(character: char) -> char {
    let row = PRINTING.into_iter().find(|(_, _, plain, _)| *plain == character);
    row.map_or(character, |(_, _, _, shifted)| shifted)
}
