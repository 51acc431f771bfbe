//! [`Modifiers`]: the keys that are held down while another one is pressed.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::KeyName;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    Alt,
    Control,
    Meta,
    Shift,
}

impl Modifier {
    /// In the order in which they are written and pressed.
    pub const ALL: [Modifier; 4] = [Modifier::Alt, Modifier::Control, Modifier::Meta, Modifier::Shift];

    pub fn name(self) -> &'static str {
        match self {
            Modifier::Alt => "Alt",
            Modifier::Control => "Control",
            Modifier::Meta => "Meta",
            Modifier::Shift => "Shift",
        }
    }

    /// The key that is held.
    pub fn key(self) -> KeyName {
        match self {
            Modifier::Alt => KeyName::Alt,
            Modifier::Control => KeyName::Control,
            Modifier::Meta => KeyName::Meta,
            Modifier::Shift => KeyName::Shift,
        }
    }

    pub(super) fn named(name: &str) -> Option<Modifier> {
        Modifier::ALL.into_iter().find(|modifier| modifier.name() == name)
    }
}

/// The modifiers that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

    /// Whether a key together with these is a command and writes nothing.
    pub fn make_commands(self) -> bool {
        self.alt || self.control || self.meta
    }

    /// As the browser's protocol counts them.
    pub fn bits(self) -> u32 {
        u32::from(self.alt) | u32::from(self.control) << 1 | u32::from(self.meta) << 2 | u32::from(self.shift) << 3
    }

    pub fn from_bits(bits: u32) -> Modifiers {
        Modifiers { alt: bits & 1 != 0, control: bits & 2 != 0, meta: bits & 4 != 0, shift: bits & 8 != 0 }
    }

    /// Those that are held, in the order of [`Modifier::ALL`].
    pub fn held(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL.into_iter().filter(move |modifier| self.has(*modifier))
    }

    pub fn has(self, modifier: Modifier) -> bool {
        match modifier {
            Modifier::Alt => self.alt,
            Modifier::Control => self.control,
            Modifier::Meta => self.meta,
            Modifier::Shift => self.shift,
        }
    }

    pub fn with(mut self, modifier: Modifier) -> Modifiers {
        match modifier {
            Modifier::Alt => self.alt = true,
            Modifier::Control => self.control = true,
            Modifier::Meta => self.meta = true,
            Modifier::Shift => self.shift = true,
        }
        self
    }

    pub fn names(self) -> Vec<&'static str> {
        self.held().map(Modifier::name).collect()
    }

    /// Reads what `Display` writes.
    pub fn from_names(text: &str) -> Option<Modifiers> {
        text.split('+').try_fold(Modifiers::default(), |held, name| {
            let modifier = Modifier::named(name).filter(|modifier| !held.has(*modifier))?;
            Some(held.with(modifier))
        })
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join("+"))
    }
}
