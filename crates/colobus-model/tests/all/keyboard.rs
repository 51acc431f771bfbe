//! Chords are read, printed back, and say what a page hears of them.

use colobus_model::{Chord, ChordError, Key, KeyName, Modifier, Modifiers, keyboard_rows};
use proptest::prelude::*;

fn chord(text: &str) -> Chord {
    text.parse().unwrap()
}

#[test]
fn reads_modifiers_and_keys() {
    let home = chord("Shift+Home");
    assert_eq!(home, Chord::plain(KeyName::Home).with_shift());
    assert_eq!(home.key().virtual_code, 36);
    assert_eq!(chord("Control++").key().key, "+");
    assert_eq!(chord("+").key().code, "Equal");
    assert_eq!(chord("Space").text().as_deref(), Some(" "));
    assert_eq!(chord("é").text().as_deref(), Some("é"));
    assert_eq!(chord("é").key().code, "");
    assert_eq!(chord("Control+Shift").name, KeyName::Shift);
}

#[test]
fn modifiers_are_written_in_one_order() {
    assert_eq!(chord("Shift+Control+ArrowLeft").to_string(), "Control+Shift+ArrowLeft");
    assert_eq!(chord("Shift+Control+z"), chord("Control+Shift+z"));
}

#[test]
fn shift_and_capitals_are_the_same_key() {
    for (one, other) in [("A", "Shift+a"), ("!", "Shift+1"), ("Control+Z", "Control+Shift+z")] {
        assert_eq!((chord(one).held(), chord(one).key()), (chord(other).held(), chord(other).key()), "{one}");
    }
    assert_eq!(chord("A").text().as_deref(), Some("A"));
    assert_eq!(chord("Shift+1").key().key, "!");
}

#[test]
fn commands_write_nothing() {
    assert_eq!(chord("Control+b").text(), None);
    assert_eq!(chord("Control+Enter").text(), None);
    assert_eq!(chord("Shift+Enter").text().as_deref(), Some("\r"));
}

#[test]
fn unknown_keys_are_errors_that_list_what_is_allowed() {
    for wrong in ["", "Retrun", "Ctrl+b", "Shift+", "control+b", "ab", "\n", "Shift+Shift+a"] {
        let error = wrong.parse::<Chord>().unwrap_err().to_string();
        assert!(error.contains("ArrowLeft") && error.contains("Control+"), "{error}");
    }
    let twice = ChordError::Repeated { chord: "Shift+Shift+a".into(), modifier: "Shift" };
    assert_eq!("Shift+Shift+a".parse::<Chord>(), Err(twice));
}

#[test]
fn the_left_one_of_two_keys_is_meant() {
    let shift = Modifier::Shift.key().key();
    assert_eq!(shift, Key { key: "Shift".into(), code: "ShiftLeft".into(), virtual_code: 16 });
    assert_eq!((shift.location(), Key::named("ArrowLeft").unwrap().location()), (1, 0));
    assert_eq!(Key::named("漢"), None);
}

#[test]
fn no_key_is_there_twice() {
    let mut characters: Vec<char> = keyboard_rows().flatten().collect();
    assert_eq!(characters.len(), 48);
    characters.sort_unstable();
    characters.dedup();
    assert_eq!(characters.len(), 48);
}

proptest! {
    #[test]
    fn every_chord_reads_back_as_itself(bits in 0u32..16, named in prop::sample::select(vec!["Enter", "Space", "F12", "Meta"]),
        character in proptest::option::of(proptest::char::any())) {
        let name = match character.filter(|character| !character.is_control()) {
            Some(character) => KeyName::Character(character),
            None => named.parse().unwrap(),
        };
        let chord = Chord { modifiers: Modifiers::from_bits(bits), name };
        prop_assert_eq!(chord.to_string().parse(), Ok(chord));
    }
}
