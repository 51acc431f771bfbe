//! A model checker for operational transformation.
//!
//! A [`Transformation`] is checked in a [`Setting`]: so many sites, operations, positions and characters. [`check`] asks
//! whether all sites always end with the same text and returns an [`Outcome`]; [`properties`] asks for TP1, TP2 and
//! intention anomalies. A violation is a [`Counterexample`], which becomes a [`scenario::Scenario`] to be written down,
//! executed directly and rendered. No I/O happens here; threads are the only thing taken from the system.
#![warn(missing_docs)]

mod arrangement;
mod counterexample;
mod document;
mod function;
pub mod functions;
mod glyphs;
mod integrate;
mod machine;
pub mod models;
mod operation;
mod order;
mod outcome;
pub mod paper;
mod program;
pub mod properties;
pub mod render;
pub mod scenario;
mod search;
mod sequence;
mod setting;
mod signature;
mod transformation;

pub use counterexample::{Counterexample, SiteTrace};
pub use function::{Function, smallest_violation};
pub use models::{check, check_convergence};
pub use operation::{Kind, Op, OpSet, Parameters};
pub use order::CausalOrder;
pub use outcome::{Model, Outcome, Verdict};
pub use search::{Options, Watch, available_threads};
pub use setting::{Network, Setting, SettingError, Start};
pub use signature::Signature;
pub use transformation::Transformation;
