//! [`Text`]: a string as JavaScript has it, a sequence of UTF-16 code units. One unit is one character of an SMT-LIB
//! string, so lengths and indices mean the same in the page and in the solver.

use std::fmt;

/// A sequence of UTF-16 code units; lone surrogates are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(pub Vec<u16>);

impl Text {
    /// How many code units it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first index at or after `from` at which `part` begins.
    pub fn find(&self, part: &Text, from: usize) -> Option<usize> {
        (from..=self.len().checked_sub(part.len())?).find(|&at| self.0[at..].starts_with(&part.0))
    }

    /// The units from `start` to `end`, both cut to the text.
    pub fn slice(&self, start: usize, end: usize) -> Text {
        let end = end.min(self.len());
        Text(self.0[start.min(end)..end].to_vec())
    }

    /// This text followed by another.
    pub fn concat(&self, other: &Text) -> Text {
        Text([&self.0[..], &other.0].concat())
    }

    /// The text as an SMT-LIB literal: printable ASCII as it is, everything else escaped.
    pub fn to_smt(&self) -> String {
        let mut out = String::from("\"");
        for &unit in &self.0 {
            match unit {
                0x22 => out.push_str("\"\""),
                0x5c => out.push_str("\\u{5c}"),
                0x20..=0x7e => out.push(unit as u8 as char),
                _ => out.push_str(&format!("\\u{{{unit:x}}}")),
            }
        }
        out.push('"');
        out
    }

    /// The text that the inside of an SMT-LIB literal stands for (doubled quotes already undone); `None` if a character
    /// is no UTF-16 unit.
    pub fn from_smt(inside: &str) -> Option<Text> {
        let mut units = Vec::new();
        let mut rest = inside;
        while let Some(character) = rest.chars().next() {
            if let Some((code, after)) = escape(rest) {
                units.push(u16::try_from(code).ok()?);
                rest = after;
            } else {
                units.extend(character.encode_utf16(&mut [0; 2]).iter());
                rest = &rest[character.len_utf8()..];
            }
        }
        Some(Text(units))
    }
}

/// `\u{h..}`, `\uhhhh` or the `\xhh` of older versions of z3, and what follows it.
fn escape(text: &str) -> Option<(u32, &str)> {
    if let Some(braced) = text.strip_prefix("\\u{") {
        let (digits, after) = braced.split_once('}')?;
        return Some((u32::from_str_radix(digits, 16).ok()?, after));
    }
    let (rest, length) = match text.strip_prefix("\\u") {
        Some(rest) => (rest, 4),
        None => (text.strip_prefix("\\x")?, 2),
    };
    Some((u32::from_str_radix(rest.get(..length)?, 16).ok()?, &rest[length..]))
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.encode_utf16().collect())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn literals_come_back(units in prop::collection::vec(any::<u16>(), 0..12)) {
            let text = Text(units);
            let literal = text.to_smt();
            let inside = literal[1..literal.len() - 1].replace("\"\"", "\"");
            prop_assert_eq!(Text::from_smt(&inside), Some(text));
        }
    }

    #[test]
    fn a_character_beyond_utf16_is_refused() {
        assert_eq!(Text::from_smt("\\u{2ffff}"), None);
        assert_eq!(Text::from_smt("\\u0041\\x42\\u{43}\\"), Some("ABC\\".into()));
    }
}
