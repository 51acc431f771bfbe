//! Sequences of events that reach a line of an application, built from the line back to the start.
//!
//! [`concolic`] runs handlers and makes [`Summary`](summary::Summary)s of their paths in [`symbolic`] values; [`ui`] says
//! which event leads where; [`search`] puts summaries together backwards, asks a solver (`colobus-solver`) what is possible,
//! and lets a [`Page`](page::Page) decide. No I/O happens here: page and solver are behind traits; [`fake`] is an
//! application in memory.
#![warn(missing_docs)]

pub mod concolic;
pub mod crawl;
pub mod fake;
pub mod given;
pub mod invariant;
pub mod line;
pub mod lists;
pub mod observation;
pub mod page;
mod paths;
mod pending;
pub mod priority;
pub mod relevance;
pub mod search;
pub mod summary;
pub mod symbolic;
pub mod ui;
