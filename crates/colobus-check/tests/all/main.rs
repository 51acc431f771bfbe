//! The checks: each alone, what they have in common, and what their documentation says.

mod added;
mod checks;
mod conservation;
mod documentation;
mod precedence;
