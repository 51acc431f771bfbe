//! [`PageCheck`]: what the searches of one page (`stumble`, `explore`, `race`, `reach`) look for. They produce a [`PageFailure`] or
//! name the check alone; the run loop, reports and docs/checks.md show its id. Checks of several clients are in
//! [`CHECKS`](crate::CHECKS).

mod failure;
mod invalid_html;

use std::fmt;

use colobus_model::{CheckId, DifferenceKind, SearchKind};
pub use failure::{FailureIdentity, PageFailure};
pub use invalid_html::invalid_html;
use serde::{Deserialize, Serialize};

use crate::invariant;

/// An oracle of one page. Of two failures the one whose check comes first is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageCheck {
    Hang,
    Injection,
    Uncaught,
    Blank,
    FailedRequest,
    Console,
    LostInput,
    Invariant,
    InvalidHtml,
    RaceRequest,
    RacePage,
    /// Stays the last.
    Reach,
}

/// All of them, as docs/checks.md lists them. A new one is a variant, a line here and what [`PageCheck`] says of it.
pub static PAGE_CHECKS: &[PageCheck] = &[
    PageCheck::Hang,
    PageCheck::Injection,
    PageCheck::Uncaught,
    PageCheck::Blank,
    PageCheck::FailedRequest,
    PageCheck::Console,
    PageCheck::LostInput,
    PageCheck::Invariant,
    PageCheck::InvalidHtml,
    PageCheck::RaceRequest,
    PageCheck::RacePage,
    PageCheck::Reach,
];

impl PageCheck {
    /// What reports, journals and documentation call it.
    pub fn id(self) -> CheckId {
        CheckId::new(match self {
            PageCheck::Hang => "hang",
            PageCheck::Injection => "injection",
            PageCheck::Uncaught => "uncaught",
            PageCheck::Blank => "blank",
            PageCheck::FailedRequest => "failed-request",
            PageCheck::Console => "console",
            PageCheck::LostInput => "lost-input",
            // The same demand as between clients.
            PageCheck::Invariant => invariant::NAME,
            PageCheck::InvalidHtml => "invalid-html",
            PageCheck::RacePage => "race-page",
            PageCheck::RaceRequest => "race-request",
            PageCheck::Reach => "reach",
        })
    }

    /// What must hold, in one sentence.
    pub fn demand(self) -> &'static str {
        match self {
            PageCheck::Hang => "the page comes to rest after every step",
            PageCheck::Injection => "a text that the server sends stays a text: it becomes neither markup nor script",
            PageCheck::Uncaught => {
                "the page throws no exception, and rejects no promise, that its scripts do not catch"
            }
            PageCheck::Blank => "a page that shows something does not end up blank",
            PageCheck::FailedRequest => "no request of the page fails",
            PageCheck::Console => "the page logs no error",
            PageCheck::LostInput => "a field keeps what the user typed into it",
            PageCheck::Invariant => "JavaScript of your own is true, once the page has come to rest",
            PageCheck::InvalidHtml => "documents that the server sends are valid HTML",
            PageCheck::RacePage => "the page shows the same in every order of its events",
            PageCheck::RaceRequest => "the page sends the same requests in every order of its events",
            PageCheck::Reach => "no demand: a finding is a line that runs, with the events that make it run",
        }
    }

    /// What its differences are called.
    pub fn kind(self) -> DifferenceKind {
        match self {
            PageCheck::Hang
            | PageCheck::Injection
            | PageCheck::Uncaught
            | PageCheck::Blank
            | PageCheck::FailedRequest
            | PageCheck::Console => DifferenceKind::Error,
            PageCheck::LostInput => DifferenceKind::Lost,
            PageCheck::Invariant => DifferenceKind::Invariant,
            PageCheck::InvalidHtml => DifferenceKind::Markup,
            PageCheck::RacePage => DifferenceKind::Text,
            PageCheck::RaceRequest => DifferenceKind::State,
            PageCheck::Reach => DifferenceKind::Other,
        }
    }

    /// The searches that ask it.
    pub fn asked_by(self) -> &'static [SearchKind] {
        match self {
            PageCheck::Hang | PageCheck::FailedRequest | PageCheck::Console => {
                &[SearchKind::Mistakes, SearchKind::Events]
            }
            PageCheck::Uncaught => &[SearchKind::Mistakes, SearchKind::Events, SearchKind::Orders],
            PageCheck::Injection | PageCheck::InvalidHtml => &[SearchKind::Events],
            PageCheck::Blank | PageCheck::LostInput => &[SearchKind::Mistakes],
            PageCheck::Invariant => &[SearchKind::Mistakes, SearchKind::Orders],
            PageCheck::RacePage | PageCheck::RaceRequest => &[SearchKind::Orders],
            PageCheck::Reach => &[SearchKind::Lines],
        }
    }
}

impl fmt::Display for PageCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id().fmt(f)
    }
}
