//! Priorities: what lowers the rank of partial sequences that are unlikely to be needed. A new one is a file and a line in
//! [`PRIORITIES`].

mod equal_effect;
mod keypad;
mod other_ways;
mod undoing;

pub use equal_effect::EqualEffect;
pub use keypad::Keypad;
pub use other_ways::OtherWays;
pub use undoing::Undoing;

use crate::search::{Extension, Partial};
use crate::summary::Summary;

/// A reason to try some extensions of a partial sequence later than others.
///
/// ```
/// use colobus_reach::priority::Priority;
/// use colobus_reach::search::{Extension, Partial};
/// use colobus_reach::summary::Summary;
///
/// /// Long ways last.
/// struct LongWays;
///
/// impl Priority for LongWays {
///     fn name(&self) -> &'static str {
///         "long ways"
///     }
///
///     fn penalties(&self, _: &Partial, extensions: &[Extension], _: &[Summary]) -> Vec<i64> {
///         extensions.iter().map(|extension| i64::from(extension.way.len() > 5)).collect()
///     }
/// }
/// ```
pub trait Priority: Sync {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// By how much the priority of each extension of `partial` is lowered; extensions come shortest first.
    fn penalties(&self, partial: &Partial, extensions: &[Extension], summaries: &[Summary]) -> Vec<i64>;
}

/// All priorities.
pub const PRIORITIES: &[&dyn Priority] = &[&EqualEffect, &OtherWays, &Undoing, &Keypad];
