//! Draft.
pub mod symbolic;
