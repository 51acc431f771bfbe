//! The model checker: exact counts, laws, and scenarios from the literature.

mod agreement;
mod counts;
mod laws;
mod scenarios;
