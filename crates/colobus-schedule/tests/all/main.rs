//! Strategies, orders and shrinking on small systems without a browser.

mod added;
mod commuting;
mod counts;
mod flaky;
mod independence;
mod laws;
mod orders;
mod random;
mod shrinking;
mod silence;
mod systems;
