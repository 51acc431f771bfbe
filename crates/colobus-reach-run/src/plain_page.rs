//! [`PlainPage`]: a page that nothing rewrites, which alone decides whether a line is reached; with a solver it is a
//! [`Searcher`], the world of a worker.

use colobus_model::BrowserPlace;
use colobus_reach::line::Line;
use colobus_reach::page::{Page, PageError, Replayed, Step};
use colobus_solver::Solver;
use colobus_world::{Recorded, WorldError};

/// Performs sequences with trusted input, each on a fresh page.
pub trait PlainPage: Send {
    /// What shows the page, for reports.
    fn browser(&self) -> BrowserPlace;

    /// Whether some code of a line ran.
    fn replay(&mut self, steps: &[Step], line: &Line) -> Result<Replayed, WorldError>;

    /// The same, while traffic is recorded.
    fn replay_recorded(&mut self, steps: &[Step], line: &Line) -> Result<Recorded<Replayed>, WorldError>;
}

/// What one worker needs to search for a line.
pub struct Searcher {
    pub page: Box<dyn PlainPage>,
    pub solver: Box<dyn Solver + Send>,
}

/// The page as the search asks it. The search knows statements only, and a line may be inside of one.
pub(crate) struct LineOfPage<'a> {
    pub page: &'a mut dyn PlainPage,
    pub line: &'a Line,
    /// Why the page failed, if it did.
    pub failure: Option<WorldError>,
}

impl Page for LineOfPage<'_> {
    fn replay(&mut self, steps: &[Step], _: &Line) -> Result<Replayed, PageError> {
        self.page.replay(steps, self.line).map_err(|error| {
            let told = PageError(error.to_string());
            self.failure = Some(error);
            told
        })
    }
}
