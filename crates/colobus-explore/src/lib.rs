//! Feedback-directed exploration of a front end, after Artemis. [`explore`] opens a page, asks what a user can do there, does
//! it, and decides by what was executed what to do next: sequences of events grow ([`Exploration`]), a [`Priority`] says
//! which comes first, [`Coverage`] and the UI model say what is known of the page. What goes wrong is shrunk to the shortest
//! sequence and the fewest answers. Pages are behind [`colobus_world::ExplorablePage`]; [`StandIn`] answers in the place of a
//! server that was learned; [`report`] draws what ran.

mod action;
mod candidates;
pub mod coverage;
mod evidence;
mod exploration;
mod explore;
pub mod fake;
mod feedback;
mod judge;
mod knowledge;
mod priority;
pub mod report;
mod search;
mod sequence;
mod shrink;
mod stand_in;
mod ui_model;
mod values;
mod walk;
mod written_lines;

pub use action::Action;
pub use candidates::{action, candidates};
pub use coverage::{Coverage, Intervals};
pub use evidence::{EVIDENCE_FILE, Evidence, SESSION_FILE};
pub use exploration::{Exploration, Job};
pub use explore::{DEFAULT_WALK, ExploreConfig, Explored, OpenPage, explore};
pub use feedback::{Accesses, Feedback, Walked};
pub use judge::judge;
pub use knowledge::Knowledge;
pub use priority::{PRIORITIES, Priority, Waiting, priority};
pub use sequence::{Move, Sequence};
pub use stand_in::StandIn;
pub use values::Values;
