//! Races in one page: the examples of the thesis, fixtures, and agreement with brute force.

mod brute_force;
mod drivers;
mod fixtures;
mod regressions;
mod thesis;
