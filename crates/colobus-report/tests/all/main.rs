//! Reports: files, terminal output, and merging.

mod files;
mod hostile;
mod merging;
mod sample;
mod terminal;
