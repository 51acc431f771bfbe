//! A small application in memory: handlers as statements over symbolic expressions, run concolically as a [`Handler`] and
//! plainly as a [`Page`]. For tests of summaries and of the search without a browser.

mod instrumented;
mod plain;
mod program;

pub use instrumented::InstrumentedApp;
pub use plain::PlainPage;
pub use program::{App, Event, ProgramHandler, Statement};
