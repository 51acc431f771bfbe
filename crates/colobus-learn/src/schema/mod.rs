//! JSON Schema 2020-12, as much of it as learned descriptions use: [`Shape`] is inferred from values, [`Schemas`] holds
//! the files of a description, [`valid`] checks values, [`Generator`] makes values up.

pub(crate) mod boundary;
mod emit;
pub mod format;
mod generate;
pub mod marker;
mod node;
mod recursion;
mod shape;
mod support;
mod validate;

pub use emit::schema_of;
pub(crate) use generate::word;
pub use generate::{Generator, NoInstance, Preference};
pub use node::{Node, Schemas};
pub use shape::{ArrayShape, ObjectShape, Shape, StringShape};
pub use support::{SchemaProblem, problems};
pub use validate::{Violation, valid, validate};
