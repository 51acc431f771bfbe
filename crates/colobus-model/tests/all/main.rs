//! The vocabulary: keys, steps, and lines that reproduce a finding.

mod keyboard;
mod reproduction;
mod steps;
