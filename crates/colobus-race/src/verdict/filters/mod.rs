//! Reasons to take a difference for harmless, or to report it apart. One file a filter; [`all`] lists them. A user
//! switches them by name ([`switchable`]), and adds [reasons of their own](OwnReasons).

mod ad_hoc_synchronisation;
mod as_recorded;
mod late_attachment;
mod own;
mod same_state;
mod unload;

pub use ad_hoc_synchronisation::AdHocSynchronisation;
pub use as_recorded::AsRecorded;
pub use late_attachment::LateAttachment;
pub use own::{OwnReason, OwnReasons};
pub use same_state::SameState;
pub use unload::Unload;

use super::{Comparison, Harm};

/// One reason.
///
/// ```
/// use colobus_race::verdict::{Comparison, Effect, Filter, Judge};
///
/// /// Differences in the clock of the page do not count.
/// struct Clock;
///
/// impl Filter for Clock {
///     fn name(&self) -> &'static str { "clock" }
///     fn reason(&self) -> &'static str { "the clock may be late" }
///     fn effect(&self) -> Effect { Effect::Harmless }
///     fn explain(&self, comparison: &Comparison) -> Option<String> {
///         let (gone, new) = &comparison.differences.lines;
///         let only_clock = gone.iter().chain(new).all(|line| line.starts_with("text of #clock"));
///         only_clock.then(|| "only the clock differs".to_string())
///     }
/// }
/// assert_eq!(Judge::default().with(Box::new(Clock)).filters().count(), 6);
/// ```
pub trait Filter: Send + Sync {
    /// What it is called in reports, flags and configurations.
    fn name(&self) -> &'static str;

    /// Why what it matches does not count, for reports, help and documentation.
    fn reason(&self) -> &'static str;

    fn effect(&self) -> Effect;

    /// Whether this harm does not count, although others may.
    fn excuses(&self, _harm: Harm, _comparison: &Comparison) -> bool {
        false
    }

    /// Why it applies to these two orders; `None` if it does not.
    fn explain(&self, comparison: &Comparison) -> Option<String>;
}

/// What becomes of an order to which a filter applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Harmless,
    /// Reported, but not among the harmful ones.
    Apart,
    /// An assertion of the user's own that does not hold: harmful whatever other filters say.
    Harmful,
}

/// All filters, in the order in which they are named in reports.
pub fn all() -> Vec<Box<dyn Filter>> {
    vec![
        Box::new(AdHocSynchronisation),
        Box::new(SameState),
        Box::new(AsRecorded),
        Box::new(LateAttachment),
        Box::new(Unload),
    ]
}

/// Those that can be switched off. Orders that end in the same state have no difference that could be reported.
pub fn switchable() -> Vec<Box<dyn Filter>> {
    all().into_iter().filter(|filter| filter.name() != SameState.name()).collect()
}
