//! JavaScript types: loading, modules, packages from npm, and what the checker finds in them.

mod findings;
mod loading;
mod modules;
mod packages;
mod support;
