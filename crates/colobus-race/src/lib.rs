//! Races inside one page: an image, a script, an answer or a timer that comes earlier or later than the developer
//! thought. Recorded and executed by a browser driver, searched here, reported by the run loop. Pure: nothing here executes
//! anything but the [simulated page](fake).
//!
//! ```text
//! Execution          what ran and what each event touched                 model
//!  -> HappensBefore  which events cannot be turned round                  happens_before
//!  -> Relation       which pairs of this execution depend and conflict    conflicts
//!  -> Plan           the order with one conflict turned round             explore
//!  -> Execution      of that order, by the driver
//!  -> Judgement      harmless, harmful or to be reported apart            verdict
//! ```
//!
//! # What a driver hands over
//! A driver implements [`Page`](explore::Page), or runs the [`Plan`](explore::Plan)s of a [`Search`](explore::Search)
//! itself and returns an [`Execution`](model::Execution):
//! - Each event has a name from [`Namer`](model::Namer), given when it is registered. From the second execution on, a
//!   [`Matcher`](model::Matcher) made from the recording says which recorded event it is, and how if it was not exact.
//! - `creator`, `serial`, `needs`, `delay` and `blocks_load` are facts about the registration. What follows from them
//!   is decided [here](happens_before).
//! - A native that depends on what is there (`push`, `appendChild`, `addEventListener`) reads and writes its place;
//!   only the three kinds of [`AccessKind`](model::AccessKind) that commute are logged as one access.
//! - Dispatch reads the place [`Handler`](model::Place::Handler) also if there is no handler, and a call reads the
//!   global also if it is undefined.
//! - `disables` names every event that `clearTimeout`, `abort`, removal or navigation was aimed at, also those that had
//!   run, so that the other order is tried.
//! - Events that the plan does not name have `planned: false` and come last.
//! - Code whose accesses are not known makes its event `opaque`; tasks that could not be held are said in `notes`.

pub mod conflicts;
pub mod digest;
pub mod explore;
pub mod fake;
pub mod happens_before;
pub mod model;
pub mod recorded;
pub mod verdict;
