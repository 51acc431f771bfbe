//! [`Priority`]: which sequence comes next. One file each, listed in [`PRIORITIES`]; the formulas are those of Artemis but
//! for `states`.

mod combined;
mod constant;
mod coverage;
mod random;
mod read_write;
mod states;

use colobus_learn::Random;

use crate::ui_model::StateId;
use crate::{Knowledge, Sequence};

/// A sequence that waits, as priorities see it.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    pub sequence: &'a Sequence,
    /// The state in which its last action would be performed.
    pub state: Option<StateId>,
}

/// Says how promising a sequence is, from 0 to 1.
///
/// ```
/// use colobus_explore::{Knowledge, Priority, Waiting};
/// use colobus_learn::Random;
///
/// /// Short sequences first.
/// struct Short;
///
/// impl Priority for Short {
///     fn name(&self) -> &'static str { "short" }
///     fn describe(&self) -> &'static str { "short sequences first" }
///     fn needs_accesses(&self) -> bool { false }
///     fn of(&self, waiting: Waiting<'_>, _: &Knowledge, _: &mut Random) -> f64 {
///         1.0 / (1.0 + waiting.sequence.moves.len() as f64)
///     }
/// }
/// ```
pub trait Priority: Sync {
    fn name(&self) -> &'static str;

    fn describe(&self) -> &'static str;

    /// Whether it depends on what events read and write; without that all sequences are alike to it.
    fn needs_accesses(&self) -> bool;

    fn of(&self, waiting: Waiting<'_>, knowledge: &Knowledge, random: &mut Random) -> f64;
}

/// All priorities; the first is the one that is taken unless another is asked for.
pub static PRIORITIES: &[&dyn Priority] = &[
    &states::States,
    &coverage::Coverage,
    &constant::Constant,
    &random::AtRandom,
    &read_write::ReadWrite,
    &combined::Combined,
];

/// The priority with this name.
pub fn priority(name: &str) -> Option<&'static dyn Priority> {
    PRIORITIES.iter().copied().find(|priority| priority.name() == name)
}
