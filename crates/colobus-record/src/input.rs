//! The small change of input: [`Point`], [`Button`], [`Key`], [`Modifiers`].

use std::fmt;

/// A place, in pixels: inside an element, inside a window, or as a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Button {
    #[default]
    Left,
    Middle,
    Right,
    Back,
    Forward,
}

impl Button {
    /// In the order in which `MouseEvent.button` counts them.
    pub const ALL: [Button; 5] = [Button::Left, Button::Middle, Button::Right, Button::Back, Button::Forward];

    pub fn name(self) -> &'static str {
        match self {
            Button::Left => "left",
            Button::Middle => "middle",
            Button::Right => "right",
            Button::Back => "back",
            Button::Forward => "forward",
        }
    }

    /// Its bit in `MouseEvent.buttons`, which counts them in another order.
    pub fn bit(self) -> u32 {
        match self {
            Button::Left => 1,
            Button::Right => 2,
            Button::Middle => 4,
            Button::Back => 8,
            Button::Forward => 16,
        }
    }
}

/// A key of a keyboard, as `KeyboardEvent` describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub key: String,
    pub code: String,
    pub virtual_code: u32,
}

impl Key {
    pub fn is_modifier(&self) -> bool {
        matches!(self.key.as_str(), "Shift" | "Control" | "Alt" | "Meta" | "AltGraph" | "CapsLock")
    }

    /// The character that it writes, if it writes one.
    pub fn character(&self) -> Option<char> {
        let mut characters = self.key.chars();
        characters.next().filter(|_| characters.next().is_none())
    }
}

/// The modifiers that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub alt: bool,
    pub control: bool,
    pub meta: bool,
    pub shift: bool,
}

impl Modifiers {
    pub fn is_none(self) -> bool {
        self == Modifiers::default()
    }

    /// As the browser's protocol counts them.
    pub fn bits(self) -> u32 {
        u32::from(self.alt) | u32::from(self.control) << 1 | u32::from(self.meta) << 2 | u32::from(self.shift) << 3
    }

    pub fn from_bits(bits: u32) -> Modifiers {
        Modifiers { alt: bits & 1 != 0, control: bits & 2 != 0, meta: bits & 4 != 0, shift: bits & 8 != 0 }
    }

    pub fn names(self) -> Vec<&'static str> {
        let all = [(self.alt, "Alt"), (self.control, "Control"), (self.meta, "Meta"), (self.shift, "Shift")];
        all.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect()
    }

    /// Reads what `Display` writes.
    pub fn from_names(text: &str) -> Option<Modifiers> {
        let mut modifiers = Modifiers::default();
        for name in text.split('+') {
            let held = match name {
                "Alt" => &mut modifiers.alt,
                "Control" => &mut modifiers.control,
                "Meta" => &mut modifiers.meta,
                "Shift" => &mut modifiers.shift,
                _ => return None,
            };
            if std::mem::replace(held, true) {
                return None;
            }
        }
        Some(modifiers)
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join("+"))
    }
}

impl fmt::Display for Point {
    /// At most two decimals: what a screen can show.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64| {
            let rounded = (value * 100.0).round() / 100.0;
            // No "-0".
            if rounded == 0.0 { "0".to_string() } else { rounded.to_string() }
        };
        write!(f, "{},{}", number(self.x), number(self.y))
    }
}
