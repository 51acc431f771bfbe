//! Symbolic values with the meaning of JavaScript: built, evaluated, printed, and solved for.

pub mod distance;
pub mod evaluate;
pub mod expr;
mod javascript;
pub mod number;
pub mod operator;
pub mod pattern;
pub mod solve;
pub mod translate;
pub mod typeable;
pub mod value;
