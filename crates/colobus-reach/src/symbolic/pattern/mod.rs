//! [`Pattern`]: a regular expression of JavaScript, as the language of the texts in which it finds a match, and as a program that finds
//! what its groups capture.

mod node;
mod program;
mod reader;
mod samples;

use std::fmt;

use colobus_solver::{Regex, Text};
use serde::{Deserialize, Serialize};

pub use self::node::{Alternative, Node, Ranges};
use self::program::Program;
use self::reader::Reader;

/// A regular expression whose matches can be decided and solved for.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "(String, String)", try_from = "(String, String)")]
pub struct Pattern {
    source: String,
    flags: String,
    language: Regex,
    alternatives: Vec<Alternative>,
    program: Program,
}

/// Why a regular expression cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("/{expression}/{flags} cannot be followed: {reason}")]
pub struct PatternError {
    expression: String,
    flags: String,
    reason: &'static str,
}

/// A match would take too many steps to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it begins.
    pub index: usize,
    /// The whole match, and what each group captured.
    pub groups: Vec<Option<Text>>,
}

impl Pattern {
    /// Read a regular expression. Back references, look around, word boundaries and flags but `i` are refused.
    pub fn new(source: &str, flags: &str) -> Result<Pattern, PatternError> {
        let refuse = |reason| PatternError { expression: source.to_owned(), flags: flags.to_owned(), reason };
        if !matches!(flags, "" | "i") {
            return Err(refuse("only the flag i is known"));
        }
        let mut reader = Reader::new(source, flags == "i");
        let alternatives = reader.top().map_err(refuse)?;
        let program = Program::new(&alternatives, reader.groups()).map_err(refuse)?;
        let language = alternatives.iter().map(Alternative::language).fold(Regex::Nothing, Regex::or);
        Ok(Pattern { source: source.to_owned(), flags: flags.to_owned(), language, alternatives, program })
    }

    /// Whether it matches somewhere in a text.
    pub fn matches(&self, text: &Text) -> bool {
        self.language.matches(text)
    }

    /// The texts in which it matches.
    pub fn language(&self) -> &Regex {
        &self.language
    }

    /// What is between the bars on its outermost level.
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// How many groups capture something, with the whole match.
    pub fn groups(&self) -> usize {
        self.program.groups()
    }

    /// The first match in a text, as `exec` finds it.
    pub fn find(&self, text: &Text) -> Result<Option<Found>, TooLong> {
        self.program.find(text)
    }

    /// The parts of a text between its matches, as `split` gives them; nothing for patterns with groups, whose captures would be
    /// among the parts.
    pub fn split(&self, text: &Text) -> Result<Option<Vec<Text>>, TooLong> {
        if self.groups() > 1 {
            return Ok(None);
        }
        let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
        if text.is_empty() {
            return Ok(Some(if self.program.ends_at(text, 0)?.is_some() { parts } else { vec![Text::default()] }));
        }
        while at < text.len() {
            match self.program.ends_at(text, at)? {
                Some(end) if end.min(text.len()) != start => {
                    parts.push(text.slice(start, at));
                    (start, at) = (end, end);
                }
                _ => at += 1,
            }
        }
        parts.push(text.slice(start, text.len()));
        Ok(Some(parts))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "/{}/{}", self.source, self.flags)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Pattern> for (String, String) {
    fn from(pattern: Pattern) -> Self {
        (pattern.source, pattern.flags)
    }
}

impl TryFrom<(String, String)> for Pattern {
    type Error = PatternError;

    fn try_from((source, flags): (String, String)) -> Result<Self, PatternError> {
        Pattern::new(&source, &flags)
    }
}
