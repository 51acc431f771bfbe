//! [`Trouble`]: what a page does that no user wants.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trouble {
    pub kind: TroubleKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TroubleKind {
    Uncaught,
    Console,
    FailedRequest,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            TroubleKind::Uncaught => "uncaught exception",
            TroubleKind::Console => "console error",
            TroubleKind::FailedRequest => "failed request",
        };
        write!(f, "{kind}: {}", self.text)
    }
}
