//! [`Part`]: what is done with an application: explored at first, as in the paper, then searched with the whole method and without
//! parts of it.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// What exploring and a monkey leave.
    Explored,
    Whole,
    WithoutForward,
    WithoutPriorities,
    WithoutSummaries,
}

impl Part {
    pub const ALL: [Part; 5] =
        [Part::Explored, Part::Whole, Part::WithoutForward, Part::WithoutPriorities, Part::WithoutSummaries];

    /// Those that leave something out.
    pub const LESS: [Part; 3] = [Part::WithoutForward, Part::WithoutPriorities, Part::WithoutSummaries];

    /// What it is called on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Part::Explored => "explored",
            Part::Whole => "whole",
            Part::WithoutForward => "without-forward",
            Part::WithoutPriorities => "without-priorities",
            Part::WithoutSummaries => "without-summaries",
        }
    }

    /// What `colobus reach` is told for it.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Part::Explored | Part::Whole => &[],
            Part::WithoutForward => &["--without", "forward"],
            Part::WithoutPriorities => &["--without", "priorities"],
            Part::WithoutSummaries => &["--without", "summaries"],
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Part::WithoutForward => "without the search from the start",
            Part::WithoutPriorities => "without priorities",
            Part::WithoutSummaries => "without summaries",
            Part::Explored | Part::Whole => self.word(),
        })
    }
}
