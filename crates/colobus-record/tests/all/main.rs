//! Recordings: file formats, folding, and the steps that they amount to.

mod exchange;
mod format;
mod relaxing;
mod sample;
mod steps;
