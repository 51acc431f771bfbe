//! The keys of a US keyboard. Every other place that needs a name, a code or a character of a key asks here.

use super::KeyName;

/// The name of the key that writes a space.
pub const SPACE: &str = "Space";

/// A key that writes.
pub struct Printing {
    /// What `KeyboardEvent.code` says.
    pub code: &'static str,
    pub virtual_code: u32,
    pub plain: char,
    pub shifted: char,
}

/// A key that does something else than write (Enter writes a line end).
pub struct Named {
    pub name: KeyName,
    /// Its name in text, which is also what `KeyboardEvent.key` says.
    pub text: &'static str,
    /// What `KeyboardEvent.code` says; of the keys that are there twice, the left one.
    pub code: &'static str,
    pub virtual_code: u32,
}

const fn printing(code: &'static str, virtual_code: u32, plain: char, shifted: char) -> Printing {
    Printing { code, virtual_code, plain, shifted }
}

const fn named(name: KeyName, text: &'static str, virtual_code: u32) -> Named {
    Named { name, text, code: text, virtual_code }
}

const fn left(name: KeyName, text: &'static str, code: &'static str, virtual_code: u32) -> Named {
    Named { name, text, code, virtual_code }
}

/// The keys that write, row by row from the top; the space bar belongs to the last.
pub const ROWS: [&[Printing]; 4] = [
    &[
        printing("Backquote", 192, '`', '~'),
        printing("Digit1", 49, '1', '!'),
        printing("Digit2", 50, '2', '@'),
        printing("Digit3", 51, '3', '#'),
        printing("Digit4", 52, '4', '$'),
        printing("Digit5", 53, '5', '%'),
        printing("Digit6", 54, '6', '^'),
        printing("Digit7", 55, '7', '&'),
        printing("Digit8", 56, '8', '*'),
        printing("Digit9", 57, '9', '('),
        printing("Digit0", 48, '0', ')'),
        printing("Minus", 189, '-', '_'),
        printing("Equal", 187, '=', '+'),
    ],
    &[
        printing("KeyQ", 81, 'q', 'Q'),
        printing("KeyW", 87, 'w', 'W'),
        printing("KeyE", 69, 'e', 'E'),
        printing("KeyR", 82, 'r', 'R'),
        printing("KeyT", 84, 't', 'T'),
        printing("KeyY", 89, 'y', 'Y'),
        printing("KeyU", 85, 'u', 'U'),
        printing("KeyI", 73, 'i', 'I'),
        printing("KeyO", 79, 'o', 'O'),
        printing("KeyP", 80, 'p', 'P'),
        printing("BracketLeft", 219, '[', '{'),
        printing("BracketRight", 221, ']', '}'),
        printing("Backslash", 220, '\\', '|'),
    ],
    &[
        printing("KeyA", 65, 'a', 'A'),
        printing("KeyS", 83, 's', 'S'),
        printing("KeyD", 68, 'd', 'D'),
        printing("KeyF", 70, 'f', 'F'),
        printing("KeyG", 71, 'g', 'G'),
        printing("KeyH", 72, 'h', 'H'),
        printing("KeyJ", 74, 'j', 'J'),
        printing("KeyK", 75, 'k', 'K'),
        printing("KeyL", 76, 'l', 'L'),
        printing("Semicolon", 186, ';', ':'),
        printing("Quote", 222, '\'', '"'),
    ],
    &[
        printing("KeyZ", 90, 'z', 'Z'),
        printing("KeyX", 88, 'x', 'X'),
        printing("KeyC", 67, 'c', 'C'),
        printing("KeyV", 86, 'v', 'V'),
        printing("KeyB", 66, 'b', 'B'),
        printing("KeyN", 78, 'n', 'N'),
        printing("KeyM", 77, 'm', 'M'),
        printing("Comma", 188, ',', '<'),
        printing("Period", 190, '.', '>'),
        printing("Slash", 191, '/', '?'),
        printing("Space", 32, ' ', ' '),
    ],
];

/// The keys that do not write, in the order in which an error lists them.
pub const NAMED: [Named; 36] = [
    named(KeyName::Enter, "Enter", 13),
    named(KeyName::Tab, "Tab", 9),
    named(KeyName::Backspace, "Backspace", 8),
    named(KeyName::Delete, "Delete", 46),
    named(KeyName::Insert, "Insert", 45),
    named(KeyName::Escape, "Escape", 27),
    named(KeyName::Home, "Home", 36),
    named(KeyName::End, "End", 35),
    named(KeyName::PageUp, "PageUp", 33),
    named(KeyName::PageDown, "PageDown", 34),
    named(KeyName::ArrowLeft, "ArrowLeft", 37),
    named(KeyName::ArrowUp, "ArrowUp", 38),
    named(KeyName::ArrowRight, "ArrowRight", 39),
    named(KeyName::ArrowDown, "ArrowDown", 40),
    named(KeyName::F1, "F1", 112),
    named(KeyName::F2, "F2", 113),
    named(KeyName::F3, "F3", 114),
    named(KeyName::F4, "F4", 115),
    named(KeyName::F5, "F5", 116),
    named(KeyName::F6, "F6", 117),
    named(KeyName::F7, "F7", 118),
    named(KeyName::F8, "F8", 119),
    named(KeyName::F9, "F9", 120),
    named(KeyName::F10, "F10", 121),
    named(KeyName::F11, "F11", 122),
    named(KeyName::F12, "F12", 123),
    named(KeyName::CapsLock, "CapsLock", 20),
    named(KeyName::NumLock, "NumLock", 144),
    named(KeyName::ScrollLock, "ScrollLock", 145),
    named(KeyName::Pause, "Pause", 19),
    named(KeyName::PrintScreen, "PrintScreen", 44),
    named(KeyName::ContextMenu, "ContextMenu", 93),
    left(KeyName::Shift, "Shift", "ShiftLeft", 16),
    left(KeyName::Control, "Control", "ControlLeft", 17),
    left(KeyName::Alt, "Alt", "AltLeft", 18),
    left(KeyName::Meta, "Meta", "MetaLeft", 91),
];

/// The names that stand for keys, in the order in which an error lists them.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|row| row.text).chain([SPACE])
}

/// The row of a key that does not write.
pub fn find(name: KeyName) -> Option<&'static Named> {
    NAMED.iter().find(|row| row.name == name)
}

/// The key that writes this character, with or without Shift.
pub fn writing(character: char) -> Option<&'static Printing> {
    ROWS.iter().copied().flatten().find(|row| row.plain == character || row.shifted == character)
}
