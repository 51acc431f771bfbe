//! [`Glyphs`]: which character people read for which cell of a document.

use crate::document::TOMBSTONE;
use crate::setting::{Setting, Start};

/// The characters of a setting: first the alphabet, then whatever else the starting text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyphs(Vec<char>);

/// What stands for a character that is deleted but still counted.
const BURIED: char = '·';

impl Glyphs {
    /// The glyphs of a setting and the cells of the document it starts from.
    pub fn of(setting: &Setting) -> (Self, Vec<u8>) {
        let alphabet: Vec<char> = alphabet().take(setting.alphabet.into()).collect();
        match &setting.start {
            Start::Unbounded => Glyphs::with(&alphabet, &fresh().take(setting.initial_length()).collect::<String>()),
            Start::Text(text) => Glyphs::with(&alphabet, text),
        }
    }

    /// The glyphs of what users insert, by rank, and of a text; and the cells of that text.
    pub fn with(alphabet: &[char], text: &str) -> (Self, Vec<u8>) {
        let mut glyphs = Glyphs(alphabet.to_vec());
        let cells = text.chars().map(|c| glyphs.cell(c).unwrap_or_else(|| glyphs.push(c))).collect();
        (glyphs, cells)
    }

    fn push(&mut self, glyph: char) -> u8 {
        self.0.push(glyph);
        self.0.len() as u8
    }

    /// The cell that shows a character.
    pub fn cell(&self, glyph: char) -> Option<u8> {
        self.0.iter().position(|&known| known == glyph).map(|index| index as u8 + 1)
    }

    /// The character a cell shows.
    pub fn glyph(&self, cell: u8) -> char {
        match cell {
            buried if buried & TOMBSTONE != 0 => BURIED,
            cell => self.0.get(usize::from(cell) - 1).copied().unwrap_or('?'),
        }
    }

    /// The text that cells show.
    pub fn text(&self, cells: &[u8]) -> String {
        cells.iter().map(|&cell| self.glyph(cell)).collect()
    }
}

/// What users insert: digits, then capitals.
pub fn alphabet() -> impl Iterator<Item = char> {
    ('0'..='9').chain('A'..='Z')
}

/// The characters of an unbounded text: none of them is in the alphabet.
pub fn fresh() -> impl Iterator<Item = char> {
    ('a'..='z').chain('α'..='ω').chain('а'..='я').chain('ա'..='ֆ')
}
