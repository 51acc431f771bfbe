//! [`PageProblem`]: what a page does that no user wants.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageProblem {
    pub kind: ProblemKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    Uncaught,
    Console,
    FailedRequest {
        /// The status of the answer; `None` if there was none.
        status: Option<u16>,
    },
}

impl fmt::Display for PageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ProblemKind::Uncaught => "uncaught exception",
            ProblemKind::Console => "console error",
            ProblemKind::FailedRequest { .. } => "failed request",
        };
        write!(f, "{kind}: {}", self.text)
    }
}
