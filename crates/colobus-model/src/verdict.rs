//! [`Verdict`]: what a check says of a trace.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CheckId;

/// Three values: a check that could not judge says so, and never says `Pass` instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail(Difference),
    Unknown(String),
}

/// What a failed check saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The coarse kind: findings of the same actions and the same kind have the same root cause.
    pub kind: DifferenceKind,
    /// One sentence for people.
    pub summary: String,
}

/// A check that failed, and what it saw. Produced by judging a trace, shown by findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCheck {
    pub check: CheckId,
    pub difference: Difference,
}

/// How two clients differ, from the outside in: text that differs explains markup that differs, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The visible text differs.
    Text,
    /// Equal text, different markup.
    Markup,
    /// Equal DOM (or none was taken), different pixels.
    Pixels,
    /// The application's own documents differ.
    State,
    /// A typed word is gone, or a part of it.
    Lost,
    /// A typed word is there more than once.
    Doubled,
    /// The letters of a typed word are apart.
    Torn,
    /// The letters of words that two users typed are mixed.
    Interleaved,
    /// What a client shows is not what its document says.
    View,
    /// A client that opens the document later has something else.
    Reload,
    /// What should change nothing changed something.
    Neutral,
    /// Another user's caret is shown where it is not.
    Caret,
    /// Something is not true that the user says always is.
    Invariant,
    /// An error that no sequential run had.
    Error,
    /// What only the check itself has a word for.
    Other,
}

impl DifferenceKind {
    /// What costs users most comes first: their data, then documents that differ, errors, text, formatting and pixels.
    pub const WORST_FIRST: [DifferenceKind; 15] = [
        DifferenceKind::Lost,
        DifferenceKind::Doubled,
        DifferenceKind::State,
        DifferenceKind::Invariant,
        DifferenceKind::Reload,
        DifferenceKind::Error,
        DifferenceKind::Text,
        DifferenceKind::View,
        DifferenceKind::Torn,
        DifferenceKind::Interleaved,
        DifferenceKind::Neutral,
        DifferenceKind::Markup,
        DifferenceKind::Caret,
        DifferenceKind::Pixels,
        DifferenceKind::Other,
    ];

    /// Its place among [`DifferenceKind::WORST_FIRST`].
    pub fn rank(self) -> usize {
        DifferenceKind::WORST_FIRST.iter().position(|kind| *kind == self).unwrap_or(usize::MAX)
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DifferenceKind::Text => "text",
            DifferenceKind::Markup => "markup",
            DifferenceKind::Pixels => "pixels",
            DifferenceKind::State => "state",
            DifferenceKind::Lost => "lost",
            DifferenceKind::Doubled => "doubled",
            DifferenceKind::Torn => "torn",
            DifferenceKind::Interleaved => "interleaved",
            DifferenceKind::View => "view",
            DifferenceKind::Reload => "reload",
            DifferenceKind::Neutral => "neutral",
            DifferenceKind::Caret => "caret",
            DifferenceKind::Invariant => "invariant",
            DifferenceKind::Error => "error",
            DifferenceKind::Other => "other",
        })
    }
}

/// What observations are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Aspect {
    Pixels,
    Dom,
    State,
}

impl Aspect {
    pub const ALL: [Aspect; 3] = [Aspect::Pixels, Aspect::Dom, Aspect::State];
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aspect::Pixels => "pixels",
            Aspect::Dom => "dom",
            Aspect::State => "state",
        })
    }
}

impl FromStr for Aspect {
    type Err = String;

    fn from_str(word: &str) -> Result<Aspect, String> {
        Aspect::ALL
            .into_iter()
            .find(|aspect| aspect.to_string() == word)
            .ok_or_else(|| format!("`{word}` is nothing to judge on: choose pixels, dom or state"))
    }
}
