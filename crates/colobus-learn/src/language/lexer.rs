//! Tokens of a description, each with its place. Consumed by the parser.

use super::parser::ParseError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A run of characters without a meaning of their own.
    Word(String),
    /// A quoted string, unescaped.
    Text(String),
    /// `@` and what follows it.
    File(String),
    /// One of `/ ( ) : , | * ? +`
    Sign(char),
    /// `!` at the beginning of a line.
    Extension,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

const SIGNS: &str = "/():,|*?+";

/// True for characters that a word may consist of; everything else is quoted.
pub(super) fn is_word_character(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !SIGNS.contains(c) && c != '"' && c != '@'
}

/// True if the text can stand without quotes.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['!', '#']) && text.chars().all(is_word_character)
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::File(file) => write!(f, "`@{file}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::Extension => write!(f, "`!`"),
            Token::End => write!(f, "the end of the file"),
        }
    }
}

/// The tokens of the lines from `first` on, which is the number of the first line of `text`.
pub(super) fn tokens(text: &str, first: usize) -> Result<Vec<(Token, Place)>, ParseError> {
    let mut found = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        tokens_of_line(line, first + number, &mut found)?;
    }
    let (above, last) = text.rsplit_once('\n').map_or((0, text), |(above, last)| (above.split('\n').count(), last));
    found.push((Token::End, Place { line: first + above, column: last.chars().count() + 1 }));
    Ok(found)
}

fn tokens_of_line(line: &str, number: usize, found: &mut Vec<(Token, Place)>) -> Result<(), ParseError> {
    let mut rest = line;
    let mut at_beginning = true;
    loop {
        rest = rest.trim_start();
        let column = line[..line.len() - rest.len()].chars().count() + 1;
        let place = Place { line: number, column };
        let Some(first) = rest.chars().next() else { return Ok(()) };
        let (token, length) = match first {
            '#' => return Ok(()),
            '!' if at_beginning => (Token::Extension, 1),
            '"' => text(rest, place)?,
            '@' => {
                let end =
                    rest[1..].find(|c: char| c.is_whitespace() || "/(),|:\"".contains(c)).unwrap_or(rest.len() - 1);
                (Token::File(rest[1..1 + end].to_string()), 1 + end)
            }
            sign if SIGNS.contains(sign) => (Token::Sign(sign), 1),
            c if is_word_character(c) => {
                let end = rest.find(|c| !is_word_character(c)).unwrap_or(rest.len());
                (Token::Word(rest[..end].to_string()), end)
            }
            c => return Err(ParseError::at(place, format!("the character {c:?} must stand between quotes"))),
        };
        found.push((token, place));
        rest = &rest[length..];
        at_beginning = false;
    }
}

/// A string as in JSON.
fn text(rest: &str, place: Place) -> Result<(Token, usize), ParseError> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => {
                let length = at + 1;
                let text = serde_json::from_str(&rest[..length]).map_err(|_| {
                    ParseError::at(place, "this string has an escape that JSON does not know".to_string())
                })?;
                return Ok((Token::Text(text), length));
            }
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Err(ParseError::at(place, "this string has no closing quote on its line".to_string()))
}
