//! Reports: files, terminal output, and merging.

mod files;
mod merging;
mod sample;
mod terminal;
