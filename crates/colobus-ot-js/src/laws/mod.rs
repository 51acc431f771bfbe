//! The laws, one file each; [`LAWS`] is the list. A law is a pure function of a case and the type under test.

mod applies;
mod compose;
mod composed_tp1;
mod convergence;
mod normalize;
mod run;
mod tp1;
mod tp2;
mod transform_compose;

use crate::case::Case;
use crate::subject::Facts;

pub(crate) use convergence::World;
pub use run::{Outcome, Run, Step, Stop, Violation};

/// Where each operation of a law's case is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All on the same document.
    Concurrent(usize),
    /// The second after the first, `beside` more on the document itself.
    Sequence { beside: usize },
    /// One per client around a server.
    Clients,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The type promises it: a violation fails the check.
    Claimed,
    /// Worth knowing, not promised: a violation is reported and does not fail the check.
    Unclaimed,
    /// The type lacks a function that the law speaks of.
    Absent,
}

impl Claim {
    fn if_present(present: bool) -> Claim {
        if present { Claim::Claimed } else { Claim::Absent }
    }
}

pub trait Law: Sync {
    fn id(&self) -> &'static str;
    fn statement(&self) -> &'static str;
    fn claim(&self, facts: &Facts) -> Claim;
    fn shape(&self) -> Shape;

    /// Whether an operation that the type refuses is a violation rather than no case at all.
    fn is_about_refusal(&self) -> bool {
        false
    }

    fn evaluate(&self, run: &mut Run<'_>, case: &Case) -> Result<(), Stop>;
}

pub const LAWS: &[&dyn Law] = &[
    &applies::Applies,
    &tp1::Tp1,
    &compose::Compose,
    &composed_tp1::ComposedTp1,
    &normalize::Normalize,
    &convergence::Convergence,
    &tp2::Tp2,
    &transform_compose::TransformCompose,
];

pub fn law(id: &str) -> Option<&'static dyn Law> {
    LAWS.iter().copied().find(|law| law.id() == id)
}

/// How many operations a law's case must have, so that a case given back can be refused early.
pub fn operation_count(shape: Shape) -> Option<usize> {
    match shape {
        Shape::Concurrent(count) => Some(count),
        Shape::Sequence { beside } => Some(2 + beside),
        Shape::Clients => None,
    }
}
