//! Text inserted into a source, which is otherwise kept byte for byte. Filled by the rewriters; the result is code and a
//! [`PositionMap`].
//!
//! Every insertion stands between two marker characters, white space to JavaScript, that do not occur in the source.
//! They keep inserted words apart from their neighbours, and let the page's runtime show the original text of a function.

use std::ops::Range;

use crate::position::{PositionMap, Positions, utf16_length};

/// White space that sources hardly ever contain.
const MARKERS: [char; 3] = ['\u{c}', '\u{b}', '\u{feff}'];

#[derive(Default)]
pub(crate) struct Insertions {
    texts: Vec<(usize, String)>,
}

impl Insertions {
    /// Inserts `text` before the character at `offset`. Of two texts at one offset, that which was added first comes first.
    pub(crate) fn add(&mut self, offset: u32, text: impl Into<String>) {
        let text = text.into();
        debug_assert!(!text.contains('\n'), "lines must not move");
        self.texts.push((offset as usize, text));
    }

    /// The part `range` of `source` with all insertions into it, and how its positions moved; `None` if the source
    /// contains every marker.
    pub(crate) fn apply(&mut self, source: &str, range: Range<usize>) -> Option<(String, PositionMap)> {
        let marker = MARKERS.into_iter().find(|marker| !source.contains(*marker))?;
        self.texts.sort_by_key(|(offset, _)| *offset);
        let part = &source[range.clone()];
        let mut positions = Positions::new(part);
        let inserted: usize = self.texts.iter().map(|(_, text)| text.len() + 2 * marker.len_utf8()).sum();
        let mut code = String::with_capacity(part.len() + inserted);
        let mut map = PositionMap::default();
        let mut copied = range.start;
        for same_offset in self.texts.chunk_by(|one, other| one.0 == other.0) {
            let offset = same_offset[0].0;
            if offset < range.start || offset > range.end {
                continue;
            }
            code.push_str(&source[copied..offset]);
            copied = offset;
            let from = code.len();
            code.push(marker);
            code.extend(same_offset.iter().map(|(_, text)| text.as_str()));
            code.push(marker);
            map.push(positions.of(offset - range.start), utf16_length(&code[from..]));
        }
        code.push_str(&source[copied..range.end]);
        Some((code, map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_at_one_place_keep_their_order_and_share_markers() {
        let mut insertions = Insertions::default();
        insertions.add(3, "(");
        insertions.add(1, "[");
        insertions.add(3, ")");
        let (code, _) = insertions.apply("a\u{c}bc", 0..4).unwrap();
        assert_eq!(code, "a\u{b}[\u{b}\u{c}b\u{b}()\u{b}c");
    }
}
