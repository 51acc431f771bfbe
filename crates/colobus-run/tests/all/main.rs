//! The run loop on the fake application.

mod accounts;
mod added_check;
mod added_strategy;
mod around;
mod documentation;
mod exercised;
mod fake_app;
mod faults;
mod lateness;
mod nodes;
mod precise;
mod search;
