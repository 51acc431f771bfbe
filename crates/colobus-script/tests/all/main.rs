//! Rewritten JavaScript, run beside the original in Node. `make test` installs its packages.

mod bad_input;
mod concolic;
mod conflicts;
mod fuzz;
mod libraries;
mod modules;
mod suites;
mod support;
mod syntax;
