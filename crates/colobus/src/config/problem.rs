//! [`Problem`]: something wrong at one place of a file. [`Problems`]: all of one file, shown with their source lines.

use std::fmt;
use std::ops::Range;

/// Something wrong at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What was probably meant, or what to write instead; stands below the source line.
    pub label: Option<String>,
    /// What helps to understand it.
    pub note: Option<String>,
}

impl Problem {
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into(), label: None, note: None }
    }

    pub fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = Some(label.into());
        self
    }
}

/// All that is wrong in one file, in the order of its lines.
#[derive(Debug)]
pub struct Problems {
    file: String,
    text: String,
    problems: Vec<Problem>,
}

impl Problems {
    pub fn new(file: &str, text: &str, mut problems: Vec<Problem>) -> Problems {
        problems.sort_by_key(|problem| problem.span.start);
        problems.dedup();
        Problems { file: file.to_string(), text: text.to_string(), problems }
    }
}

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\nerror: ")?;
            }
            self.show(problem, f)?;
        }
        Ok(())
    }
}

impl Problems {
    /// ```text
    /// unknown key `redy`
    ///  --> colobus.toml:3:1
    ///   |
    /// 3 | redy = "true"
    ///   | ^^^^ did you mean `ready`?
    /// ```
    fn show(&self, problem: &Problem, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = Place::of(&self.text, &problem.span);
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        let padding: String = place.before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{}", problem.message)?;
        writeln!(f, "{margin}--> {}:{}:{}", self.file, place.line, place.column)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {}", place.source)?;
        write!(f, "{margin} | {padding}{}", "^".repeat(place.width))?;
        if let Some(label) = &problem.label {
            write!(f, " {label}")?;
        }
        if let Some(note) = &problem.note {
            write!(f, "\n{margin} = note: {note}")?;
        }
        Ok(())
    }
}

/// Where a span begins, for people: lines and columns count from one, columns in characters.
struct Place<'a> {
    line: usize,
    column: usize,
    /// The line, without its end.
    source: &'a str,
    /// The part of the line before the span.
    before: &'a str,
    /// How many characters of the line belong to the span; at least one.
    width: usize,
}

impl<'a> Place<'a> {
    fn of(text: &'a str, span: &Range<usize>) -> Place<'a> {
        let start = char_start(text, span.start.min(text.len()));
        let end = char_start(text, span.end.clamp(start, text.len()));
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let source = text[line_start..].lines().next().unwrap_or_default();
        let line_end = line_start + source.len();
        let before = &text[line_start..start.min(line_end)];
        let inside = &text[start.min(line_end)..end.min(line_end)];
        Place {
            line: text[..line_start].matches('\n').count() + 1,
            column: before.chars().count() + 1,
            source,
            before,
            width: inside.chars().count().max(1),
        }
    }
}

/// The beginning of the character that `offset` is in.
fn char_start(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, span: Range<usize>) -> (usize, usize, &str, usize) {
        let place = Place::of(text, &span);
        (place.line, place.column, place.source, place.width)
    }

    #[test]
    fn finds_line_and_column() {
        assert_eq!(place("ab\ncde\n", 0..2), (1, 1, "ab", 2));
        assert_eq!(place("ab\ncde\n", 4..6), (2, 2, "cde", 2));
        assert_eq!(place("ab\r\ncde\r\n", 5..7), (2, 2, "cde", 2));
    }

    #[test]
    fn counts_characters_not_bytes() {
        assert_eq!(place("äöü = 1", 7..8), (1, 5, "äöü = 1", 1));
        assert_eq!(place("äöü = 1", 0..6), (1, 1, "äöü = 1", 3));
        assert_eq!(place("äöü = 1", 1..2), (1, 1, "äöü = 1", 1), "inside a character");
    }

    #[test]
    fn stays_in_the_text_and_on_one_line() {
        assert_eq!(place("", 0..0), (1, 1, "", 1));
        assert_eq!(place("ab", 7..9), (1, 3, "ab", 1));
        assert_eq!(place("ab\n", 3..3), (2, 1, "", 1));
        assert_eq!(place("a = '''\nb\n'''", 4..13), (1, 5, "a = '''", 3));
    }
}
