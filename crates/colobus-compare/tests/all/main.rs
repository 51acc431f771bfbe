//! Differences between observations: lines and pixels.

mod lines;
mod pixels;
