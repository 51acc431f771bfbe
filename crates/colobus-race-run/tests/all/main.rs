//! Searches for races on a simulated page.

mod not_as_recorded;
mod resume;
mod simulated;
