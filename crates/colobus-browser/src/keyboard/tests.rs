use crate::protocol::input::KeyEventKind;

use super::{Chord, Modifier, Stroke, check_key, strokes};

fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap()
}

#[test]
fn reads_modifiers_and_keys() {
    assert_eq!(chord("Shift+Home").modifiers, [Modifier::Shift]);
    assert_eq!(chord("Shift+Home").key.virtual_code, 36);
    assert_eq!(chord("Control++").key.key, "+");
    assert_eq!(chord("+").key.code, "Equal");
    assert_eq!(chord("Space").key.text.as_deref(), Some(" "));
    assert_eq!(chord("é").key.text.as_deref(), Some("é"));
}

#[test]
fn shift_and_capitals_are_the_same_key() {
    assert_eq!(chord("A").events(), chord("Shift+a").events());
    assert_eq!(chord("A").key.text.as_deref(), Some("A"));
    assert_eq!(chord("Shift+1").key.key, "!");
}

#[test]
fn shortcuts_write_nothing() {
    assert_eq!(chord("Control+b").key.text, None);
    assert_eq!(chord("Control+Enter").key.text, None);
    assert_eq!(chord("Shift+Enter").key.text.as_deref(), Some("\r"));
}

#[test]
fn every_key_that_goes_down_comes_up_again() {
    let events = chord("Control+Shift+ArrowLeft").events();
    let kinds: Vec<KeyEventKind> = events.iter().map(|event| event.kind).collect();
    let (down, up) = (KeyEventKind::RawKeyDown, KeyEventKind::KeyUp);
    assert_eq!(kinds, [down, down, down, up, up, up]);
    let held: Vec<u32> = events.iter().map(|event| event.modifiers).collect();
    assert_eq!(held, [2, 10, 10, 10, 2, 0]);
}

#[test]
fn unknown_keys_are_errors_that_list_what_is_allowed() {
    for wrong in ["", "Retrun", "Ctrl+b", "Shift+", "control+b", "ab", "\n"] {
        let error = check_key(wrong).unwrap_err();
        assert!(error.contains("ArrowLeft") && error.contains("Control+"), "{error}");
    }
}

#[test]
fn text_becomes_keys_and_insertions() {
    let typed = strokes("a\nB漢字\u{301}!");
    let words: Vec<String> = typed
        .iter()
        .map(|stroke| match stroke {
            Stroke::Key(chord) => chord.key.key.clone(),
            Stroke::Insert(text) => format!("insert {text}"),
        })
        .collect();
    assert_eq!(words, ["a", "Enter", "B", "insert 漢字\u{301}", "!"]);
    assert_eq!(strokes("\r\n").len(), 1);
}
