//! The seam between the search for races in one page and the browser that executes it: [`RacePage`].

use colobus_model::{BrowserPlace, Png};
use colobus_race::happens_before::Delays;
use colobus_race::model::{EventName, Execution, FinalState};
use colobus_race::recorded::RecordedPage;

use crate::WorldError;

/// A page that can be executed again and again from its start, its events in any order that the browser allows.
pub trait RacePage: Send {
    /// Executes the page as it comes, with its servers, and keeps what later executions need.
    fn record(&mut self) -> Result<RecordedPage, WorldError>;

    /// Executes a recorded page with its events in this order, approximately: see [`colobus_race::explore::Page`]. Reads
    /// and writes are logged.
    fn run(&mut self, recorded: &RecordedPage, order: &[EventName]) -> Result<Execution, WorldError>;

    /// What the page showed at the end of the last [`run`](RacePage::run).
    fn picture(&mut self) -> Option<Png>;

    /// Executes the page as it is, on its own clock, with recorded answers and steps that come this much later than recorded.
    /// Steps in `left_out` do not happen.
    fn run_delayed(
        &mut self,
        recorded: &RecordedPage,
        delays: &Delays,
        left_out: &[EventName],
    ) -> Result<FinalState, WorldError>;

    /// The browser, for reports.
    fn browser(&self) -> BrowserPlace;
}
