//! [`Stage`]: performs recorded sessions. Implemented by the browser and by fakes, used by searches that vary sessions. A [`SessionRun`] is all
//! that can be said of one way through the application.

use std::collections::BTreeMap;

use colobus_model::{BrowserPlace, Png};
use colobus_record::{Element, Recording};

use crate::{PageProblem, Recorded, WorldError};

pub trait Stage: Send {
    /// Performs a recording in fresh windows, from its beginning to its end or to the first line that is not possible.
    fn perform(&mut self, recording: &Recording) -> Result<SessionRun, WorldError>;

    /// The same, while traffic is recorded.
    fn perform_recorded(&mut self, recording: &Recording) -> Result<Recorded<SessionRun>, WorldError>;

    /// The same as [`perform`](Stage::perform), looking around before each line: snapshots name the elements that could be hit by mistake.
    fn dry_run(&mut self, recording: &Recording) -> Result<SessionRun, WorldError>;

    /// What performs, for reports.
    fn browser(&self) -> BrowserPlace;
}

#[derive(Clone, Debug, Default)]
pub struct SessionRun {
    /// One for each line that was performed: what its tab showed then. Nothing where the next line came too soon to look.
    pub snapshots: Vec<Option<PageSnapshot>>,
    /// Why the line after these could not be performed, if there is one.
    pub stopped: Option<String>,
    /// Whether the pages came to rest whenever they were waited for.
    pub rested: bool,
    pub problems: Vec<PageProblem>,
    /// The names of invariants that did not hold in the end.
    pub broken_invariants: Vec<String>,
    /// Where the parts of the last page are that were asked for: left, top, width and height, by selector.
    pub areas: BTreeMap<String, Vec<[f64; 4]>>,
    /// Where secrets can be read on the last page.
    pub secret_areas: Vec<[f64; 4]>,
    /// The last page.
    pub screenshot: Option<Png>,
}

/// What a tab shows at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageSnapshot {
    pub url: String,
    /// An entry for each element: its kind, its id and the kind of the one around it.
    pub shape: Vec<String>,
    pub fields: Vec<Field>,
    /// Whether there is nothing to see.
    pub blank: bool,
    /// The element beside the one of this line.
    pub neighbour: Option<Element>,
}

/// What a field of a page holds. Its value is compared, and never written anywhere: it may be a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub key: String,
    pub label: String,
    pub value: String,
}
