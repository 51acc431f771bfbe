//! [`Check`]: an oracle that knows itself: its name, what it demands and where, what it needs, and how its failures look.

use colobus_model::{Action, Aspect, CheckId, DifferenceKind, Trace, Verdict};

/// An oracle: says whether what a trace shows is right.
///
/// ```
/// use colobus_check::{Check, DemandedWord, Evidence, Symptom};
/// use colobus_model::{Action, CheckId, Difference, DifferenceKind, Trace, Verdict};
///
/// struct AtMostTwoErrors;
///
/// impl Check for AtMostTwoErrors {
///     fn id(&self) -> CheckId {
///         CheckId::new("at-most-two-errors")
///     }
///     fn demand(&self) -> &'static str {
///         "no client logs more than two errors"
///     }
///     fn applies_where(&self) -> &'static str {
///         "always"
///     }
///     fn kinds(&self) -> &'static [DifferenceKind] {
///         &[DifferenceKind::Error]
///     }
///     fn symptom(&self) -> Symptom {
///         Symptom::NewError
///     }
///     fn needs_late_joiner(&self) -> bool {
///         false
///     }
///     fn evidence(&self, _trace: &Trace) -> Evidence {
///         Evidence::default()
///     }
///     fn concerns(&self, _action: &Action) -> bool {
///         true
///     }
///     fn applies(&self, _trace: &Trace) -> bool {
///         true
///     }
///     fn words(&self, _trace: &Trace) -> Vec<DemandedWord> {
///         Vec::new()
///     }
///     fn judge(&self, trace: &Trace) -> Verdict {
///         match trace.observations.iter().find(|seen| seen.errors.len() > 2) {
///             None => Verdict::Pass,
///             Some(seen) => Verdict::Fail(Difference {
///                 kind: DifferenceKind::Error,
///                 summary: format!("a client logs {} errors", seen.errors.len()),
///             }),
///         }
///     }
/// }
/// ```
pub trait Check: Sync {
    /// What reports, journals and documentation call it.
    fn id(&self) -> CheckId;

    /// What must hold, in one sentence: its line in docs/checks.md.
    fn demand(&self) -> &'static str;

    /// Where it is asked, in a few words: the same line.
    fn applies_where(&self) -> &'static str;

    /// What its differences are called. Failures of one check are the same failure if they are of the same kind.
    fn kinds(&self) -> &'static [DifferenceKind];

    /// By what its failures show without Colobus.
    fn symptom(&self) -> Symptom;

    /// Whether it judges a client that opens the document in the end, which costs a third of an execution.
    fn needs_late_joiner(&self) -> bool;

    /// What it needs of an execution. Asked before it, when the trace holds the interaction only, and again before the
    /// clients are observed, when it holds the schedule and the words that were typed.
    fn evidence(&self, trace: &Trace) -> Evidence;

    /// Whether a failure is about this one of the concurrent actions. Findings with the same such actions are grouped.
    fn concerns(&self, action: &Action) -> bool;

    /// Whether it was asked for, and whether the trace has what it needs.
    fn applies(&self, trace: &Trace) -> bool;

    /// The words that it demands, for tests that count them ([`Symptom::WordsMiscounted`]).
    fn words(&self, trace: &Trace) -> Vec<DemandedWord>;

    /// Only called with completed traces to which it applies.
    fn judge(&self, trace: &Trace) -> Verdict;
}

/// By what a failure shows to a test that knows nothing of Colobus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symptom {
    /// Two clients show different things in the end: this aspect of them.
    ClientsDiffer(Aspect),
    /// A late joiner or a second tab has another document in the end.
    LateJoinerDiffers,
    /// A page raises an error.
    NewError,
    /// A word that was typed is not there as often as it must be ([`Check::words`]).
    WordsMiscounted,
    /// A client that opens the document afterwards has another one.
    ReopenedDiffers,
    /// What should change nothing changes something.
    NeutralChanges,
    /// A page does not show the words of its document.
    ViewDiffers,
    /// Another user's caret is shown where it is not.
    CaretMisplaced,
    /// JavaScript of the user is not true.
    InvariantBroken,
    /// A third client sees an answer without its question, on the way.
    AnswerTooEarly,
    /// It takes the check to see it.
    OnlyInColobus,
}

impl Symptom {
    pub fn is_between_clients(self) -> bool {
        matches!(self, Symptom::ClientsDiffer(_))
    }
}

/// A word that must be there once; if it is not needed, at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandedWord {
    pub word: String,
    pub needed: bool,
}

/// What an execution has to collect beside what every client shows in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The text of clients after every event.
    pub snapshots: bool,
    /// The text of clients in the end, in passages.
    pub words: bool,
}

impl Evidence {
    /// What both need.
    pub fn and(self, other: Evidence) -> Evidence {
        Evidence { snapshots: self.snapshots || other.snapshots, words: self.words || other.words }
    }
}
