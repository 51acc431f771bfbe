//! Properties besides convergence, each with a verdict of its own.

pub mod intention;
pub mod order_of_events;
pub mod tp;
