//! TP1 and TP2 for all positions, characters, sites and texts of the transformation functions of `colobus-ot`.
//!
//! A [`SymbolicFunction`] says on terms what a function says on numbers. [`prove`](functions::prove) asks a solver for
//! operations that break a law: if there are none, that is a [`Proof`], not a bounded check. Character-wise functions need
//! linear integer arithmetic only, which solvers decide. [`counterexample`] hands what breaks a law to the concrete
//! function. Consumed by `colobus ot prove`.
#![warn(missing_docs)]

pub mod counterexample;
mod document;
mod form;
mod function;
pub mod functions;
mod law;
mod proof;

pub use form::{Carried, Form};
pub use function::{SymbolicFunction, three_ways};
pub use law::{Case, Parameters};
pub use proof::{Proof, stays_inside};
