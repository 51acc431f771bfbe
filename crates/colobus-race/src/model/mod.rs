//! The vocabulary of one page's execution: [`PageEvent`]s with stable names, the [`Access`]es of each to [`Place`]s, and
//! the [`Execution`] that holds them. Produced by a browser driver or the [simulated page](crate::fake), consumed by
//! every other module. All of it is plain data that serde writes and reads.

mod access;
mod address;
mod event;
mod execution;
mod matching;
mod name;
mod place;

pub use access::{Access, AccessKind, Digest, Site};
pub use address::{AddressMatch, compare_addresses};
pub use event::{Channel, EventKind, PageEvent, Resource, ScriptTiming};
pub use execution::{Executed, Execution, FinalState, NotRun, Request};
pub use matching::{Match, Matcher};
pub use name::{EventName, Named, Namer};
pub use place::Place;
