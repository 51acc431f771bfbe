//! [`Feedback`]: what an execution tells the search, as the journal keeps it. Made of a [`Visit`].

use std::collections::BTreeSet;

use colobus_check::FailureIdentity;
use colobus_world::{Offer, Visit};
use serde::{Deserialize, Serialize};

use crate::coverage::executed;
use crate::{Action, Coverage};

/// What is learned from one sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// Whether all of it was performed.
    pub complete: bool,
    /// What a user can do in the end.
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// What all of it executed.
    #[serde(default)]
    pub covered: Coverage,
    /// What the last event executed, and the functions that it entered.
    #[serde(default)]
    pub by_last: Coverage,
    #[serde(default)]
    pub entered: Coverage,
    /// Whether the last event, or the opening, got answers in the server's place.
    #[serde(default)]
    pub answered: bool,
    /// What the last event read and wrote, if that was observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accesses: Option<Accesses>,
    /// What was reported of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<FailureIdentity>,
    /// Whether something else went wrong, too.
    #[serde(default)]
    pub further: bool,
}

/// What is learned from one execution: from the sequence, and from what was done after it in the same page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecutionFeedback {
    pub sequence: Feedback,
    pub walked: Vec<Walked>,
}

/// An action that was chosen in the page itself, and what it told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walked {
    pub action: Action,
    pub told: Feedback,
}

/// Names of properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accesses {
    pub reads: BTreeSet<String>,
    pub writes: BTreeSet<String>,
}

impl Feedback {
    /// What a visit tells; `answered_before` answers were given to what leads to the last event.
    pub fn of(visit: &Visit, complete: bool, reported: Option<FailureIdentity>, further: bool) -> Feedback {
        let (before, _) = executed(&visit.before);
        let (by_last, entered) = executed(&visit.after);
        let mut covered = before;
        covered.add_all(&by_last);
        Feedback {
            complete,
            offers: visit.offers.clone(),
            covered,
            by_last,
            entered,
            answered: visit.answered_last,
            accesses: visit.accesses.clone().map(|(reads, writes)| Accesses { reads, writes }),
            reported,
            further,
        }
    }
}
