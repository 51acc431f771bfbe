//! Human errors. A recorded session becomes a [`Task`] tree, which is a grammar of what the user wanted; [`mistakes`] are
//! what people get wrong in one of its rules; [`stumble`] performs them on a [`Stage`](colobus_world::Stage), as a search of
//! the run loop, and judges what the application does ([`judge`]) by what it does when nothing goes wrong.

mod keyboard;
mod mistake;
mod oracle;
mod plan;
mod script;
mod search;
mod shape;
mod shrink;
mod stumble;
mod task;
mod words;

pub use mistake::{Kind, Mistake};
pub use oracle::{Baseline, judge};
pub use plan::mistakes;
pub use script::Script;
pub use shape::similarity;
pub use stumble::{OpenStage, StumbleConfig, StumbleError, stumble};
pub use task::Task;
pub use words::words;
