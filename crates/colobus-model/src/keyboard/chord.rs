//! [`Chord`]: modifiers held down, then one key. Written and read as `Control+Shift+ArrowLeft`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{Key, KeyName, Modifier, Modifiers, table};

/// Modifiers held down, then one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Chord {
    /// As written: `A` needs Shift without naming it, see [`Chord::held`].
    pub modifiers: Modifiers,
    pub name: KeyName,
}

/// Why a text is no chord.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}. {}", self.problem(), ChordError::advice())]
pub enum ChordError {
    UnknownKey { chord: String, key: String },
    Repeated { chord: String, modifier: &'static str },
}

impl ChordError {
    /// What is wrong, without what would be right.
    pub fn problem(&self) -> String {
        match self {
            ChordError::UnknownKey { chord, key } => format!("`{chord}` cannot be pressed: there is no key `{key}`"),
            ChordError::Repeated { chord, modifier } => {
                format!("`{chord}` cannot be pressed: it holds {modifier} twice")
            }
        }
    }

    /// What can be pressed.
    pub fn advice() -> String {
        let names: Vec<&str> = table::names().collect();
        let modifiers: Vec<&str> = Modifier::ALL.into_iter().map(Modifier::name).collect();
        format!(
            "A key is any single character or one of {}; before it may stand {}+, as in Control+Shift+Home",
            names.join(", "),
            modifiers.join("+, ")
        )
    }
}

impl Chord {
    /// The format of its JSON Schema.
    pub const FORMAT: &str = "key-chord";

    /// A key with nothing held.
    pub const fn plain(name: KeyName) -> Chord {
        Chord { modifiers: Modifiers { alt: false, control: false, meta: false, shift: false }, name }
    }

    /// The same with Shift held.
    pub const fn with_shift(mut self) -> Chord {
        self.modifiers.shift = true;
        self
    }

    /// The same with Control held.
    pub const fn with_control(mut self) -> Chord {
        self.modifiers.control = true;
        self
    }

    /// All that is held down, also what the key needs to write its character.
    pub fn held(&self) -> Modifiers {
        Modifiers { shift: self.modifiers.shift || self.name.needs_shift(), ..self.modifiers }
    }

    /// The key, as the page hears of it while [`Chord::held`] is down.
    pub fn key(&self) -> Key {
        if self.modifiers.shift { self.name.shifted().key() } else { self.name.key() }
    }

    /// What it writes; `None` for a command such as `Control+b`.
    pub fn text(&self) -> Option<String> {
        if self.modifiers.make_commands() { None } else { self.key().text() }
    }

    /// Whether Control (or Meta, on a Mac) makes a command of the key.
    pub fn is_command(&self) -> bool {
        self.modifiers.control || self.modifiers.meta
    }
}

impl FromStr for Chord {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Chord, ChordError> {
        let mut modifiers = Modifiers::default();
        let mut rest = text;
        // What follows the last modifier is the key, which may be a `+` or a modifier itself.
        while let Some((word, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
            let Some(modifier) = Modifier::named(word) else { break };
            if modifiers.has(modifier) {
                return Err(ChordError::Repeated { chord: text.to_string(), modifier: modifier.name() });
            }
            modifiers = modifiers.with(modifier);
            rest = after;
        }
        match rest.parse() {
            Ok(name) => Ok(Chord { modifiers, name }),
            Err(_) => Err(ChordError::UnknownKey { chord: text.to_string(), key: rest.to_string() }),
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in self.modifiers.names() {
            write!(f, "{name}+")?;
        }
        write!(f, "{}", self.name)
    }
}

impl From<Chord> for String {
    fn from(chord: Chord) -> String {
        chord.to_string()
    }
}

impl TryFrom<String> for Chord {
    type Error = ChordError;

    fn try_from(text: String) -> Result<Chord, ChordError> {
        text.parse()
    }
}

impl JsonSchema for Chord {
    fn schema_name() -> Cow<'static, str> {
        "Chord".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": Chord::FORMAT })
    }
}
