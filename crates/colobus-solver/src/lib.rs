//! Questions to an SMT solver: [`Term`]s, a [`Solver`] that answers them, and models that are checked before they are
//! believed.
//!
//! Terms come from symbolic values (`colobus-reach`) and transformation functions (`colobus-ot-prove`). [`Process`] asks
//! z3 or cvc5 in a child process; [`Cache`] remembers; [`Enumeration`] is a fake for tests.
#![warn(missing_docs)]

pub mod build;
mod cache;
mod evaluate;
mod fake;
mod model;
mod portfolio;
mod print;
mod process;
mod rational;
mod regex;
mod sexpr;
mod solver;
mod term;
mod text;

pub use cache::Cache;
pub use evaluate::{EvaluateError, all_hold, evaluate};
pub use fake::Enumeration;
pub use model::Model;
pub use portfolio::Portfolio;
pub use print::{Declared, Script, script};
pub use process::{Process, Program};
pub use rational::Rational;
pub use regex::{Regex, complement};
pub use solver::{Answer, Solver, SolverError};
pub use term::{Node, Op, Sort, Term, Value};
pub use text::Text;
