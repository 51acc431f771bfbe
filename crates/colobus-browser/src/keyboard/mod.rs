//! [`Chord`]: a key with modifiers, read from words such as `Shift+Home`, and the key events it consists of.

mod table;

use std::fmt;

use crate::page::KeyStroke;
use crate::protocol::input::KeyEventKind;

/// One key, described as the browser wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What `KeyboardEvent.key` says.
    pub key: String,
    /// What `KeyboardEvent.code` says.
    pub code: String,
    pub virtual_code: u32,
    /// What it writes.
    pub text: Option<String>,
    /// What `KeyboardEvent.location` says: 1 for the left one of two.
    pub location: u32,
    /// Whether a keyboard has it only together with Shift.
    pub needs_shift: bool,
}

/// Modifiers held down, then one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chord {
    pub modifiers: Vec<Modifier>,
    pub key: Key,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    Alt,
    Control,
    Meta,
    Shift,
}

impl Modifier {
    const ALL: [Modifier; 4] = [Modifier::Alt, Modifier::Control, Modifier::Meta, Modifier::Shift];

    fn bit(self) -> u32 {
        match self {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Whether a `press` step can be performed; if not, why not and what can be.
pub fn check_key(chord: &str) -> Result<(), String> {
    Chord::parse(chord).map(|_| ())
}

impl Chord {
    pub fn parse(text: &str) -> Result<Chord, String> {
        let mut modifiers = Vec::new();
        let mut rest = text;
        while let Some((word, after)) = rest.split_once('+') {
            let modifier = Modifier::ALL.into_iter().find(|modifier| modifier.to_string() == word);
            match modifier {
                Some(modifier) if !after.is_empty() => modifiers.push(modifier),
                _ => break,
            }
            rest = after;
        }
        let mut key = parse_key(rest).ok_or_else(|| unknown(text, rest))?;
        if key.needs_shift && !modifiers.contains(&Modifier::Shift) {
            modifiers.push(Modifier::Shift);
        } else if let (true, Some(character)) = (modifiers.contains(&Modifier::Shift), single(rest)) {
            key.key = table::shifted(character).to_string();
            key.text = key.text.map(|_| key.key.clone());
        }
        // What is held down beside Shift makes a shortcut of the key: it writes nothing.
        if modifiers.iter().any(|modifier| *modifier != Modifier::Shift) {
            key.text = None;
        }
        Ok(Chord { modifiers, key })
    }

    /// The events that press and release the chord.
    pub fn events(&self) -> Vec<KeyStroke> {
        let mut events = Vec::new();
        let mut held = 0;
        for modifier in &self.modifiers {
            held |= modifier.bit();
            events.extend(modifier_key(*modifier).map(|key| event(&key, KeyEventKind::RawKeyDown, held)));
        }
        let down = if self.key.text.is_some() { KeyEventKind::KeyDown } else { KeyEventKind::RawKeyDown };
        events.push(event(&self.key, down, held));
        events.push(event(&self.key, KeyEventKind::KeyUp, held));
        for modifier in self.modifiers.iter().rev() {
            held &= !modifier.bit();
            events.extend(modifier_key(*modifier).map(|key| event(&key, KeyEventKind::KeyUp, held)));
        }
        events
    }
}

fn modifier_key(modifier: Modifier) -> Option<Key> {
    table::named(&modifier.to_string())
}

fn event(key: &Key, kind: KeyEventKind, modifiers: u32) -> KeyStroke {
    KeyStroke {
        kind,
        key: key.key.clone(),
        code: key.code.clone(),
        virtual_code: key.virtual_code,
        text: key.text.clone().filter(|_| kind == KeyEventKind::KeyDown),
        location: key.location,
        modifiers,
        repeats: false,
    }
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn parse_key(text: &str) -> Option<Key> {
    let Some(character) = single(text) else { return table::named(text) };
    if character.is_control() {
        return None;
    }
    // A character that no key of this keyboard writes comes from one of another keyboard.
    Some(table::printing(character).unwrap_or_else(|| Key {
        key: text.to_string(),
        code: String::new(),
        virtual_code: 0,
        text: Some(text.to_string()),
        location: 0,
        needs_shift: false,
    }))
}

fn unknown(chord: &str, key: &str) -> String {
    let modifiers: Vec<String> = Modifier::ALL.iter().map(Modifier::to_string).collect();
    let modifiers = modifiers.join("+, ");
    let names: Vec<&str> = table::names().collect();
    format!(
        "`{chord}` cannot be pressed: there is no key `{key}`. A key is any single character or one of {}; before it may \
         stand {modifiers}+, as in Control+Shift+Home",
        names.join(", ")
    )
}

/// A part of a text to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stroke {
    Key(Chord),
    /// What no key of the keyboard writes, such as 漢: input methods insert it at once.
    Insert(String),
}

/// What somebody does to type a text.
pub fn strokes(text: &str) -> Vec<Stroke> {
    let mut strokes: Vec<Stroke> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let name = match character {
            '\r' if characters.peek() == Some(&'\n') => continue,
            '\n' | '\r' => "Enter".to_string(),
            '\t' => "Tab".to_string(),
            _ => character.to_string(),
        };
        let on_keyboard = name.len() > 1 && name.is_ascii() || table::printing(character).is_some();
        match (on_keyboard.then(|| Chord::parse(&name)), strokes.last_mut()) {
            (Some(Ok(chord)), _) => strokes.push(Stroke::Key(chord)),
            // Marks that combine with what came before must not arrive alone.
            (_, Some(Stroke::Insert(pending))) => pending.push(character),
            _ => strokes.push(Stroke::Insert(name)),
        }
    }
    strokes
}

#[cfg(test)]
mod tests;
