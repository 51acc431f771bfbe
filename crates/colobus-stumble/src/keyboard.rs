//! The key beside a key on the keyboard.

use colobus_model::{Key, KeyName, keyboard_rows};

/// The key that a finger hits instead: the letter or digit to the right, or to the left at the end of a row.
pub fn neighbour(key: &Key) -> Option<Key> {
    let character = key.character()?;
    let lower = character.to_ascii_lowercase();
    let mut rows = keyboard_rows().map(|row| row.into_iter().filter(char::is_ascii_alphanumeric).collect::<Vec<_>>());
    let row = rows.find(|row| row.contains(&lower))?;
    let place = row.iter().position(|beside| *beside == lower)?;
    let beside = *row.get(place + 1).or_else(|| row[..place].last())?;
    let written = if character.is_ascii_uppercase() { beside.to_ascii_uppercase() } else { beside };
    KeyName::Character(written).on_keyboard()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finger_slips_to_the_side() {
        let key = |key: &str| Key { key: key.to_string(), code: String::new(), virtual_code: 0 };
        let slips = |from: &str| neighbour(&key(from)).map(|key| (key.key, key.code, key.virtual_code));
        assert_eq!(slips("a"), Some(("s".to_string(), "KeyS".to_string(), 83)));
        assert_eq!(slips("P"), Some(("O".to_string(), "KeyO".to_string(), 79)));
        assert_eq!(slips("0"), Some(("9".to_string(), "Digit9".to_string(), 57)));
        assert_eq!(slips("Enter"), None);
    }
}
