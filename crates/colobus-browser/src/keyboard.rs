//! The key events that a [`Chord`] consists of, and the strokes by which a text is typed.

use colobus_model::{Chord, KeyName, Modifiers};

use crate::page::KeyStroke;
use crate::protocol::input::KeyEventKind;

/// The events that press and release the chord.
pub fn events(chord: &Chord) -> Vec<KeyStroke> {
    let mut events = Vec::new();
    let mut held = Modifiers::default();
    let modifiers: Vec<_> = chord.held().held().collect();
    for modifier in &modifiers {
        held = held.with(*modifier);
        events.push(KeyStroke::new(&modifier.key().key(), KeyEventKind::RawKeyDown, held, None));
    }
    let (key, text) = (chord.key(), chord.text());
    let down = if text.is_some() { KeyEventKind::KeyDown } else { KeyEventKind::RawKeyDown };
    events.push(KeyStroke::new(&key, down, held, text));
    events.push(KeyStroke::new(&key, KeyEventKind::KeyUp, held, None));
    for (index, modifier) in modifiers.iter().enumerate().rev() {
        let still_held = modifiers[..index].iter().fold(Modifiers::default(), |held, modifier| held.with(*modifier));
        events.push(KeyStroke::new(&modifier.key().key(), KeyEventKind::KeyUp, still_held, None));
    }
    events
}

/// A part of a text to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stroke {
    Key(Chord),
    /// What no key of the keyboard writes, such as 漢: input methods insert it at once.
    Insert(String),
}

/// What a user does to type a text.
pub fn strokes(text: &str) -> Vec<Stroke> {
    let mut strokes: Vec<Stroke> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let name = match character {
            '\r' if characters.peek() == Some(&'\n') => continue,
            '\n' | '\r' => KeyName::Enter,
            '\t' => KeyName::Tab,
            _ => KeyName::Character(character),
        };
        match (name.on_keyboard(), strokes.last_mut()) {
            (Some(_), _) => strokes.push(Stroke::Key(Chord::plain(name))),
            // Marks that combine with what came before must not arrive alone.
            (None, Some(Stroke::Insert(pending))) => pending.push(character),
            (None, _) => strokes.push(Stroke::Insert(character.to_string())),
        }
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(text: &str) -> Chord {
        text.parse().unwrap()
    }

    #[test]
    fn shift_and_capitals_are_the_same_key() {
        assert_eq!(events(&chord("A")), events(&chord("Shift+a")));
    }

    #[test]
    fn every_key_that_goes_down_comes_up_again() {
        let events = events(&chord("Control+Shift+ArrowLeft"));
        let kinds: Vec<KeyEventKind> = events.iter().map(|event| event.kind).collect();
        let (down, up) = (KeyEventKind::RawKeyDown, KeyEventKind::KeyUp);
        assert_eq!(kinds, [down, down, down, up, up, up]);
        let held: Vec<u32> = events.iter().map(|event| event.modifiers).collect();
        assert_eq!(held, [2, 10, 10, 10, 2, 0]);
    }

    #[test]
    fn text_becomes_keys_and_insertions() {
        let typed = strokes("a\nB漢字\u{301}!");
        let words: Vec<String> = typed
            .iter()
            .map(|stroke| match stroke {
                Stroke::Key(chord) => chord.to_string(),
                Stroke::Insert(text) => format!("insert {text}"),
            })
            .collect();
        assert_eq!(words, ["a", "Enter", "B", "insert 漢字\u{301}", "!"]);
        assert_eq!(strokes("\r\n").len(), 1);
    }
}
