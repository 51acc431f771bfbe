//! [`Case`]: one thing that a search runs, as events and reports name it. [`Tally`]: what became of all of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing that a search runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// What one client does alone, by the names of its actions.
    Sequence { actions: Vec<String> },
    /// Actions of A, then one action of each client at the same time, by their names.
    Interaction { prefix: Vec<String>, concurrent: Vec<String> },
    /// A recorded session in which a user makes this mistake.
    Session { mistake: String },
    /// The events of one page in another order than recorded: `first` comes before `second`, after so many reversals.
    Order { first: String, second: String, reversals: usize },
    /// The search for events that reach this line, `app.js:120`.
    Line { line: String },
}

impl Case {
    /// The same without what only leads to the state in which it happens.
    pub fn without_prefix(&self) -> Case {
        match self {
            Case::Interaction { concurrent, .. } => {
                Case::Interaction { prefix: Vec::new(), concurrent: concurrent.clone() }
            }
            other => other.clone(),
        }
    }

    /// How many actions come before what it is about.
    pub fn prefix_length(&self) -> usize {
        match self {
            Case::Interaction { prefix, .. } => prefix.len(),
            Case::Sequence { .. } | Case::Session { .. } | Case::Order { .. } | Case::Line { .. } => 0,
        }
    }
}

impl fmt::Display for Case {
    /// `type a, Enter, (bold || type b)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Case::Sequence { actions } => f.write_str(&actions.join(", ")),
            Case::Interaction { prefix, concurrent } => {
                prefix.iter().try_for_each(|name| write!(f, "{name}, "))?;
                write!(f, "({})", concurrent.join(" || "))
            }
            Case::Session { mistake } => f.write_str(mistake),
            Case::Order { first, second, .. } if second.is_empty() => f.write_str(first),
            Case::Order { first, second, .. } => write!(f, "{first} before {second}"),
            Case::Line { line } => f.write_str(line),
        }
    }
}

/// An action that cannot be performed in a state, for instance because its button is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NotApplicable {
    pub action: String,
    /// Which of its steps, from zero, if that is known.
    #[serde(default)]
    pub step: Option<usize>,
    pub reason: String,
    /// Whether a script of the configuration threw.
    #[serde(default)]
    pub threw: bool,
}

impl fmt::Display for NotApplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.action, self.reason)
    }
}

/// What became of everything that was planned: each case is exactly one of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub planned: usize,
    /// Passed or failed. Orders that are equivalent to one that ran count with it.
    pub judged: usize,
    /// An action does not apply.
    pub not_applicable: usize,
    /// Nothing can be said.
    pub unknown: usize,
    /// The search ended before it ran.
    pub not_run: usize,
}

impl Tally {
    /// Cases that were run, whatever came of it.
    pub fn ran(&self) -> usize {
        self.judged + self.not_applicable + self.unknown
    }

    pub fn adds_up(&self) -> bool {
        self.planned == self.ran() + self.not_run
    }

    /// Of two parts of one search.
    pub fn plus(&self, other: &Tally) -> Tally {
        Tally {
            planned: self.planned + other.planned,
            judged: self.judged + other.judged,
            not_applicable: self.not_applicable + other.not_applicable,
            unknown: self.unknown + other.unknown,
            not_run: self.not_run + other.not_run,
        }
    }
}
