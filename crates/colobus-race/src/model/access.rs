//! [`Access`]: one read or write of a [`Place`] during an event.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Place;

/// A hash of a value. Equal values have equal digests in all executions.
pub type Digest = u64;

/// One access. Several equal ones of an event need to be given once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub place: Place,
    pub kind: AccessKind,
    /// The value that was read, or that the place had after the write. `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Digest>,
    /// Where in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<Site>,
    /// The callers, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Site>,
}

/// How the place was touched. All but `Read` are writes. `Add`, `Insert` and `Initialise` also read; they are told apart
/// because two of the same sort can commute. A driver that cannot tell gives `Read` and `Write`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    Read,
    Write,
    /// `n += 1` as a statement: the result is not used.
    Add,
    /// An element is put into a set, a class into a class list.
    Insert,
    /// `x = x ? x : {}`, `x ||= {}`, `x ??= {}`. Its value is a hash of the initialiser's text, not of what `x` was or
    /// became: of two that differ, the first to run decides, although the second finds a value and keeps it.
    Initialise,
}

/// A position in the original source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    pub file: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Access {
    pub fn new(place: Place, kind: AccessKind) -> Access {
        Access { place, kind, value: None, site: None, stack: Vec::new() }
    }

    pub fn writes(&self) -> bool {
        self.kind != AccessKind::Read
    }
}

impl Site {
    pub fn new(file: impl Into<String>, line: u32) -> Site {
        Site { file: file.into(), line, column: None }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}
