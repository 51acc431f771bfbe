//! The vocabulary: keys, steps, and lines that reproduce a finding.

mod fuzzed;
mod keyboard;
mod reproduction;
mod steps;
