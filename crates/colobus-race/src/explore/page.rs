//! [`Page`]: what a search needs of a browser, and the loop that needs nothing else.

use thiserror::Error;

use super::progress::{Explored, Next, Tally};
use super::search::Search;
use super::settings::Settings;
use crate::model::{EventName, Execution};

/// A page that can be executed again and again from its start, with the answers, clock and random numbers of the
/// recording.
///
/// ```
/// use colobus_race::explore::{Page, PageError};
/// use colobus_race::model::{EventName, Execution};
///
/// /// A page without any events.
/// struct Blank;
///
/// impl Page for Blank {
///     fn run(&mut self, _: &[EventName]) -> Result<Execution, PageError> {
///         Ok(Execution::default())
///     }
/// }
/// assert!(Blank.run(&["A:click 1".into()])?.ran.is_empty());
/// # Ok::<(), PageError>(())
/// ```
pub trait Page {
    /// Executes the events in this order, approximately: an event that is not enabled in its turn is skipped; after the
    /// last one, whatever is still enabled runs in its natural order until the page settles. User steps that the order
    /// leaves out do not happen.
    fn run(&mut self, order: &[EventName]) -> Result<Execution, PageError>;
}

/// The page could not be executed. The search goes on without this order and does not claim to be complete.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the page could not be executed: {reason}. The order is left out; run it again with  colobus replay")]
pub struct PageError {
    pub reason: String,
}

/// Executes all orders within the settings and hands each to `report`.
pub fn explore(
    page: &mut dyn Page,
    recording: Execution,
    settings: Settings,
    mut report: impl FnMut(Explored),
) -> Tally {
    let mut search = Search::new(recording, settings);
    while let Next::Run(plan) = search.next_plan() {
        let result = page.run(&plan.order).map_err(|error| error.to_string());
        search.tell(plan.key, result).into_iter().for_each(&mut report);
    }
    search.tally()
}
