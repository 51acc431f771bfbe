//! [`Edits`]: insertions into a source and replacements of parts of it, none of which moves a line. Filled by the
//! instrumenter.

use std::ops::Range;

#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Inserts text before the character at an offset. Of two texts at one offset, that which was added first comes first.
    pub fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.0.push((offset as usize..offset as usize, text.into()));
    }

    /// Puts text in the place of a part that contains no edit; the lines that the part ended stay.
    pub fn replace(&mut self, source: &str, start: u32, end: u32, text: &str) {
        let range = start as usize..end as usize;
        let lines: String = source[range.clone()].chars().filter(|character| *character == '\n').collect();
        self.0.push((range, format!("{text}{lines}")));
    }

    /// A part of the source with all edits in it.
    pub fn apply(&mut self, source: &str, part: Range<usize>) -> String {
        self.0.sort_by_key(|(range, _)| range.start);
        let mut code = String::with_capacity(part.len() * 3);
        let mut copied = part.start;
        for (range, text) in &self.0 {
            if range.start < part.start || range.end > part.end {
                continue;
            }
            code.push_str(&source[copied..range.start]);
            let joins = |character: char| character.is_alphanumeric() || "_$".contains(character);
            if code.ends_with(joins) && text.starts_with(joins) {
                code.push(' ');
            }
            code.push_str(text);
            copied = range.end;
        }
        code.push_str(&source[copied..part.end]);
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_where_they_are() {
        let source = "a +\n b;\nc";
        let mut edits = Edits::default();
        edits.insert(0, "f(");
        edits.replace(source, 1, 5, ",");
        edits.insert(6, ")");
        assert_eq!(edits.apply(source, 0..source.len()), "f(a,\nb);\nc");
    }
}
