//! Summaries and searches in small applications. Needs `z3`; `make setup` installs it.

mod apps;
mod crawling;
mod forward;
mod lists;
mod priorities;
mod summaries;
mod tax_calculator;
mod truth;
