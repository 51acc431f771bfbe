//! The bugs that the editor can be started with, each a mistake of a few lines at one place.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use strsim::osa_distance;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bug {
    LostFormatting,
    InsertOrder,
    LostUpdate,
    StaleSelection,
    IndentView,
    AckOvertaken,
    BetweenSteps,
    ReconnectDuplicate,
    RetryDuplicate,
    Tp2Peer,
    LateEdit,
    LostMerge,
    DoubledMerge,
    StaleLoad,
    CutLine,
    UndoOthers,
    ForgottenRedo,
    StaleCaret,
    FormatOverwritten,
    PasteOrder,
    FirstLetterView,
    MissedLine,
    PasteInList,
}

impl Bug {
    pub const ALL: [Bug; 23] = [
        Bug::LostFormatting,
        Bug::InsertOrder,
        Bug::LostUpdate,
        Bug::StaleSelection,
        Bug::IndentView,
        Bug::AckOvertaken,
        Bug::BetweenSteps,
        Bug::ReconnectDuplicate,
        Bug::RetryDuplicate,
        Bug::Tp2Peer,
        Bug::LateEdit,
        Bug::LostMerge,
        Bug::DoubledMerge,
        Bug::StaleLoad,
        Bug::CutLine,
        Bug::UndoOthers,
        Bug::ForgottenRedo,
        Bug::StaleCaret,
        Bug::FormatOverwritten,
        Bug::PasteOrder,
        Bug::FirstLetterView,
        Bug::MissedLine,
        Bug::PasteInList,
    ];

    /// One bug of each kind, none of which hides another: each needs a pair of actions of its own, and all others work.
    pub const TOUR: [Bug; 5] =
        [Bug::FormatOverwritten, Bug::PasteOrder, Bug::FirstLetterView, Bug::MissedLine, Bug::PasteInList];

    /// Those that make sense in one server: `tp2-peer` takes away the order that most of the others get wrong, and those
    /// after it leave all clients with the same document in the end.
    pub fn combined() -> BTreeSet<Bug> {
        Bug::ALL.into_iter().filter(|bug| *bug < Bug::Tp2Peer).collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            Bug::LostFormatting => "lost-formatting",
            Bug::InsertOrder => "insert-order",
            Bug::LostUpdate => "lost-update",
            Bug::StaleSelection => "stale-selection",
            Bug::IndentView => "indent-view",
            Bug::AckOvertaken => "ack-overtaken",
            Bug::BetweenSteps => "between-steps",
            Bug::ReconnectDuplicate => "reconnect-duplicate",
            Bug::RetryDuplicate => "retry-duplicate",
            Bug::Tp2Peer => "tp2-peer",
            Bug::LateEdit => "late-edit",
            Bug::LostMerge => "lost-merge",
            Bug::DoubledMerge => "doubled-merge",
            Bug::StaleLoad => "stale-load",
            Bug::CutLine => "cut-line",
            Bug::UndoOthers => "undo-others",
            Bug::ForgottenRedo => "forgotten-redo",
            Bug::StaleCaret => "stale-caret",
            Bug::FormatOverwritten => "format-overwritten",
            Bug::PasteOrder => "paste-order",
            Bug::FirstLetterView => "first-letter-view",
            Bug::MissedLine => "missed-line",
            Bug::PasteInList => "paste-in-list",
        }
    }

    /// What goes wrong, in a line for the user.
    pub fn description(self) -> &'static str {
        match self {
            Bug::LostFormatting => {
                "text typed into a line that is deleted at the same time loses its formatting for some users"
            }
            Bug::InsertOrder => "texts typed at one place at the same time stand in a different order for each user",
            Bug::LostUpdate => "of two edits that reach the server together, one is overwritten by the other",
            Bug::StaleSelection => "another user's selection stays highlighted after it is gone",
            Bug::IndentView => "an edit at the start of a line hides the indent that another user just gave it",
            Bug::AckOvertaken => {
                "edits waiting to be sent are misplaced when another edit overtakes the acknowledgement"
            }
            Bug::BetweenSteps => {
                "the toolbar formats the wrong text when an edit arrives between selecting and clicking"
            }
            Bug::ReconnectDuplicate => "an edit whose acknowledgement was lost is applied again after a reconnect",
            Bug::RetryDuplicate => "an edit whose acknowledgement takes long is sent again as if it were another",
            Bug::Tp2Peer => "edits are ordered by the clients alone; three at once end in different documents",
            Bug::LateEdit => "an edit is shown later than the edits that answer it, to a user who is typing",
            Bug::LostMerge => "of two texts typed at the same time, the server removes the later one for all users",
            Bug::DoubledMerge => {
                "of two texts typed at the same time, the server inserts the later one twice for all users"
            }
            Bug::StaleLoad => "a client that opens a document does not get the last edit that was made beside another",
            Bug::CutLine => "a line is drawn without what stands behind its eighth character",
            Bug::UndoOthers => "undo takes back the last edit of anybody",
            Bug::ForgottenRedo => "an edit of another user takes away what could be done again",
            Bug::StaleCaret => "another user's caret is not moved along by one's own edits",
            Bug::FormatOverwritten => {
                "of two changes to the format of a line that reach the server together, one is overwritten"
            }
            Bug::PasteOrder => {
                "text that is pasted where another user types stands in a different order for each of them"
            }
            Bug::FirstLetterView => "the first letter of a line hides the indent that another user just gave it",
            Bug::MissedLine => {
                "who pastes, loses the network and comes back does not get the lines that others began meanwhile"
            }
            Bug::PasteInList => {
                "the server removes text that is pasted into a line while another user makes it a list item"
            }
        }
    }
}

impl fmt::Display for Bug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no seeded bug \"{name}\"; did you mean \"{nearest}\"? (known: {})", known_names())]
pub struct UnknownBug {
    name: String,
    nearest: Bug,
}

impl FromStr for Bug {
    type Err = UnknownBug;

    fn from_str(name: &str) -> Result<Bug, UnknownBug> {
        let nearest = Bug::ALL.into_iter().min_by_key(|bug| osa_distance(bug.name(), name)).unwrap_or(Bug::ALL[0]);
        if nearest.name() == name { Ok(nearest) } else { Err(UnknownBug { name: name.to_owned(), nearest }) }
    }
}

fn known_names() -> String {
    Bug::ALL.map(Bug::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for bug in Bug::ALL {
            assert_eq!(bug.name().parse(), Ok(bug));
            assert!(!bug.description().is_empty());
        }
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let error = "lost-udpate".parse::<Bug>().unwrap_err();
        assert!(error.to_string().contains("did you mean \"lost-update\""), "{error}");
    }
}
