//! The two seams of the checker: the type under test, and where its documents and operations come from.

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::json::Json;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }

    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// What a type says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Facts {
    pub name: Option<String>,
    /// Whether it claims TP2 (ottypes: `tp2: true`).
    pub tp2: bool,
    pub compose: bool,
    pub normalize: bool,
    /// Whether it has the fuzzer's `generateRandomOp`.
    pub generate: bool,
    pub create: bool,
}

/// An operation type: pure functions over documents and operations.
pub trait Subject {
    fn facts(&self) -> &Facts;
    fn apply(&self, document: &Json, operation: &Json) -> Result<Json, Failure>;
    fn transform(&self, operation: &Json, other: &Json, side: Side) -> Result<Json, Failure>;
    fn compose(&self, first: &Json, second: &Json) -> Result<Json, Failure>;
    fn normalize(&self, operation: &Json) -> Result<Json, Failure>;
}

/// Documents to start from and operations that a user could make on them.
pub trait Supply {
    fn documents(&self) -> Result<Vec<Json>, SupplyError>;

    /// Every small operation for a document; none if operations can only be generated.
    fn operations(&self, document: &Json) -> Result<Vec<Json>, SupplyError>;

    /// Whether each listed operation is meant for that document, so that a refusal is a finding.
    fn promises(&self) -> bool;

    /// An operation chosen by `seed`, where the supply has a generator.
    fn generate(&self, document: &Json, seed: u64) -> Result<Option<Json>, SupplyError>;

    /// Whether an operation makes sense for a document; `None` where the supply cannot tell.
    fn valid(&self, document: &Json, operation: &Json) -> Result<Option<bool>, SupplyError>;
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SupplyError {
    #[error("the description's {function} failed: it {failure}; mend the description")]
    Failed { function: &'static str, failure: Failure },
    #[error("the description offers no documents; give at least one")]
    NoDocuments,
}
