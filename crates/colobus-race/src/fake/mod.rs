//! A simulated page: a tiny interpreter of event systems, for tests without a browser. A [`Program`] says as data what
//! handlers read and write, which timers they set and what they request; [`SimulatedPage`] executes it in any order with
//! the rules of a browser; [`all_orders`] executes it in every order. [`fixtures`] has small pages with races whose truth is
//! known.

mod brute_force;
pub mod fixtures;
mod interpreter;
mod machine;
mod program;
mod scheduler;
mod synthetic;

pub use brute_force::{TooMany, all_orders, all_orders_of, is_feasible};
pub use machine::SimulatedPage;
pub use program::{Condition, Expression, Function, Operation, Program, SimulatedStep, Value};
pub use synthetic::synthetic_page;
