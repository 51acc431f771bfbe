//! The search for sequences of events that reach lines, in the run loop. [`reach`] crawls a page, and hands the lines
//! ([`Target`]) to the loop: one job each, one [`Answer`] each, and a finding with a script that replays for each that is reached.

mod answer;
mod evidence;
mod plain_page;
mod reach;
mod search;
mod target;
mod words;

pub use answer::Answer;
pub use evidence::{SESSION_FILE, TEST_FILE};
pub use plain_page::{PlainPage, Searcher};
pub use reach::{OpenSearcher, Perform, Preparation, ReachConfig, Reached, reach};
pub use target::{Target, TargetKind};
pub use words::explanation;
