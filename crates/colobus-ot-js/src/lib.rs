//! Checks operation types written in JavaScript (the ottypes interface: apply, transform, optionally compose and
//! normalize) against the laws of operational transformation.
//!
//! The code runs in an embedded engine, with packages found as Node finds them and limits on every call. A
//! description of the type's operations drives the search: [`check`] tries every small case by size, then random
//! ones from a seed, and shrinks what it finds. [`laws::LAWS`] lists what is checked.

mod case;
mod check;
mod describe;
mod engine;
mod error;
mod failure;
mod given;
mod json;
pub mod laws;
mod library;
pub mod modules;
mod report;
mod search;
mod subject;
mod text;

pub use case::{Case, Move};
pub use check::{check, law_names};
pub use describe::{BUILTINS, OperationList};
pub use engine::Limits;
pub use error::CheckError;
pub use failure::Failure;
pub use given::check_given;
pub use json::Json;
pub use library::{Library, Operations, Source};
pub use report::{Counterexample, Found, LawReport, Report, Verdict};
pub use search::{Catalogue, Plan, check_case, check_law};
pub use subject::{Facts, Side, Subject, Supply, SupplyError};
