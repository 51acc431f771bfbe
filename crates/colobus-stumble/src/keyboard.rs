//! The key beside a key, on the layout that most keyboards have.

use colobus_record::Key;

const ROWS: [&str; 4] = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// The key that a finger hits instead: the one to the right, or to the left at the end of a row.
pub fn neighbour(key: &Key) -> Option<Key> {
    let character = key.character()?;
    let lower = character.to_ascii_lowercase();
    let row = ROWS.iter().find(|row| row.contains(lower))?;
    let place = row.find(lower)?;
    let beside = row[place + 1..].chars().next().or_else(|| row[..place].chars().next_back())?;
    let upper = beside.to_ascii_uppercase();
    let code = if beside.is_ascii_digit() { format!("Digit{beside}") } else { format!("Key{upper}") };
    let written = if character.is_ascii_uppercase() { upper } else { beside };
    Some(Key { key: written.to_string(), code, virtual_code: u32::from(upper) })
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
