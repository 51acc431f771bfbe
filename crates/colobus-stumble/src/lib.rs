//! Human errors. A recorded session becomes a [`Task`] tree, which is a grammar of what the user wanted; [`mistakes`] are
//! what people get wrong in one of its rules; [`stumble`] performs them on a [`Stage`](colobus_world::Stage) and judges what
//! the application does ([`judge`]) by what it does when nothing goes wrong; [`report`] says it as every search does.

mod keyboard;
mod mistake;
mod oracle;
mod plan;
mod report;
mod script;
mod search;
mod shape;
mod shrink;
mod task;
mod words;

pub use mistake::{Kind, Mistake};
pub use oracle::{Baseline, Oracle, Problem, judge};
pub use plan::mistakes;
pub use report::report;
pub use script::Script;
pub use search::{DeadEnd, Found, Options, Outcome, StumbleError, StumbleEvent, stumble};
pub use shape::similarity;
pub use task::Task;
pub use words::words;
