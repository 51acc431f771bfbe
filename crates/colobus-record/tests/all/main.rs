//! Recordings: file formats, folding, and the steps that they amount to.

mod exchange;
mod exported_code;
mod format;
mod fuzzed;
mod hostile;
mod relaxing;
mod sample;
mod steps;
