//! Searches for races on a simulated page.

mod confirmation;
mod documentation;
mod filters;
mod not_as_recorded;
mod resume;
mod simulated;
