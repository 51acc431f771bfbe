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

pub mod conflicts;
pub mod digest;
pub mod explore;
pub mod fake;
pub mod happens_before;
pub mod model;
pub mod verdict;
