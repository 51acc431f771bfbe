//! Positions in a source text, and how they move when text is spliced in. [`PositionMap`] is made by `splice` and
//! consumed by those who translate the positions that a browser reports.

use serde::{Deserialize, Serialize};

/// A place in a source as browsers print it: both numbers start at 1, columns count UTF-16 code units.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Turns byte offsets into positions, in one pass over the text: offsets must not go back.
pub(crate) struct Positions<'a> {
    text: &'a str,
    offset: usize,
    at: Position,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Positions { text, offset: 0, at: Position { line: 1, column: 1 } }
    }

    /// The position of the character at `offset`, or of the one that contains it.
    pub(crate) fn of(&mut self, offset: usize) -> Position {
        let mut characters = self.text[self.offset..].chars();
        while let Some(character) = characters.next() {
            if self.offset + character.len_utf8() > offset {
                break;
            }
            self.offset += character.len_utf8();
            let ends_line = match character {
                '\n' | '\u{2028}' | '\u{2029}' => true,
                '\r' => !characters.as_str().starts_with('\n'),
                _ => false,
            };
            self.at = match ends_line {
                true => Position { line: self.at.line + 1, column: 1 },
                false => Position { line: self.at.line, column: self.at.column + character.len_utf16() as u32 },
            };
        }
        self.at
    }
}

pub(crate) fn utf16_length(text: &str) -> u32 {
    text.chars().map(|character| character.len_utf16() as u32).sum()
}

/// How positions of an original text and of its rewritten form belong together. Lines never move; columns grow by what
/// was inserted before them on their line.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct PositionMap {
    /// In the order of the text.
    inserted: Vec<Inserted>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Inserted {
    line: u32,
    /// In the original text.
    column: u32,
    /// UTF-16 code units that were inserted before, on the same line.
    before: u32,
    length: u32,
}

impl PositionMap {
    /// Notes the next insertion, which is not before the last one.
    pub(crate) fn push(&mut self, at: Position, length: u32) {
        let last = self.inserted.last().filter(|last| last.line == at.line);
        let before = last.map_or(0, |last| last.before + last.length);
        self.inserted.push(Inserted { line: at.line, column: at.column, before, length });
    }

    /// Where a position of the original text stands in the rewritten one. Text inserted at the position comes before it.
    pub fn rewritten(&self, original: Position) -> Position {
        let Position { line, column } = original;
        let until = self.inserted.partition_point(|entry| (entry.line, entry.column) <= (line, column));
        let last = self.inserted[..until].last().filter(|last| last.line == line);
        Position { line, column: column + last.map_or(0, |last| last.before + last.length) }
    }

    /// Where a position of the rewritten text stands in the original one. A position inside inserted text is that of the
    /// original character behind it.
    pub fn original(&self, rewritten: Position) -> Position {
        let Position { line, column } = rewritten;
        let until = self.inserted.partition_point(|entry| (entry.line, entry.column + entry.before) <= (line, column));
        let Some(last) = self.inserted[..until].last().filter(|last| last.line == line) else { return rewritten };
        Position { line, column: last.column.max(column.saturating_sub(last.before + last.length)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let mut positions = Positions::new("a\r\nb\rc\nd\u{2028}e");
        let line = |text: &str| positions.of(positions.text.find(text).unwrap()).line;
        assert_eq!(["a", "b", "c", "d", "e"].map(line), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn columns_count_utf16_units() {
        let mut positions = Positions::new("x\n'😀é';y");
        assert_eq!(positions.of("x\n'😀é';".len()), Position { line: 2, column: 7 });
    }

    #[test]
    fn positions_go_there_and_back() {
        let mut map = PositionMap::default();
        map.push(Position { line: 2, column: 3 }, 10);
        map.push(Position { line: 2, column: 7 }, 5);
        for line in 1..4 {
            for column in 1..12 {
                let original = Position { line, column };
                assert_eq!(map.original(map.rewritten(original)), original);
            }
        }
        assert_eq!(map.rewritten(Position { line: 2, column: 3 }).column, 13);
        assert_eq!(map.original(Position { line: 2, column: 8 }).column, 3, "inside inserted text");
    }
}
