//! [`SearchKind`]: the searches that there are. Said by every report; what depends on the search asks it, with a match that a new
//! search fails to compile.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    /// Users who act at the same time.
    #[default]
    Interactions,
    /// Human errors in a recorded session.
    Mistakes,
    /// Sequences of events on one page.
    Events,
    /// Orders of the events of one page.
    Orders,
    /// Lines of a front end.
    Lines,
}

impl SearchKind {
    /// The command that starts it.
    pub fn command(self) -> &'static str {
        match self {
            SearchKind::Interactions => "check",
            SearchKind::Mistakes => "stumble",
            SearchKind::Events => "explore",
            SearchKind::Orders => "race",
            SearchKind::Lines => "reach",
        }
    }

    /// What its cases are.
    pub fn noun(self) -> &'static str {
        match self {
            SearchKind::Interactions => "interaction",
            SearchKind::Mistakes => "mistake",
            SearchKind::Events => "sequence",
            SearchKind::Orders => "order",
            SearchKind::Lines => "line",
        }
    }

    /// Several of its cases.
    pub fn nouns(self) -> &'static str {
        match self {
            SearchKind::Interactions => "interactions",
            SearchKind::Mistakes => "mistakes",
            SearchKind::Events => "sequences",
            SearchKind::Orders => "orders",
            SearchKind::Lines => "lines",
        }
    }
}
