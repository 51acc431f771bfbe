//! What can go wrong inside one call of a type's function. A failure on valid input is a finding, never an error.

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Failure {
    #[error("threw {message}")]
    Threw { message: String },
    #[error("did not end within {steps} steps")]
    Endless { steps: u64 },
    #[error("needed more than {mebibytes} MiB of memory")]
    OutOfMemory { mebibytes: usize },
    #[error("returned {what}, which is not JSON")]
    NotJson { what: String },
}

impl Failure {
    /// After these the engine's heap is not worth trusting any more.
    pub(crate) fn spoils_the_engine(&self) -> bool {
        matches!(self, Failure::Endless { .. } | Failure::OutOfMemory { .. })
    }
}
