//! The search for concurrent actions: its counts, and effects.

mod counts;
mod effect_map;
mod most_different;
