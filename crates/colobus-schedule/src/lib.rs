//! In which order events happen. A [`Strategy`] is a small oracle: it is shown what can happen next and says what does.
//! Some record or repeat ([`Natural`], [`InTurn`], [`Replay`]), some search ([`Exhaustive`], [`Dpor`], [`Bounded`], [`Random`]), some
//! wrap others ([`Limit`], [`Twice`]). [`orders`] are written down before anything runs, and [`SilentSteps`] tells which of them are alike. Which events commute is said in [`independence`]. [`Shrinker`] finds the smallest
//! order that still fails ([`leave_out`] is what other shrinkers use), and [`reversals`] what is critical in it. Pure: nothing here executes anything.

mod bounded;
mod causality;
mod depth_first;
mod dpor;
mod execution;
mod exhaustive;
mod halving;
mod in_turn;
pub mod independence;
mod limit;
mod natural;
mod normal_form;
pub mod orders;
mod random;
mod replay;
mod reversals;
mod serial;
mod shrink;
mod silence;
mod strategy;
mod system;
mod twice;

pub use bounded::Bounded;
pub use causality::{Causality, Race};
pub use dpor::Dpor;
pub use execution::{Execution, Moment};
pub use exhaustive::Exhaustive;
pub use halving::leave_out;
pub use in_turn::InTurn;
pub use independence::Schedulable;
pub use limit::Limit;
pub use natural::Natural;
pub use normal_form::NormalForm;
pub use random::Random;
pub use replay::{Followed, Replay};
pub use reversals::{Reversal, distance, reversals};
pub use serial::Serial;
pub use shrink::Shrinker;
pub use silence::{Course, SilentSteps};
pub use strategy::{Choice, Digest, Divergences, Strategy};
pub use system::{System, explore};
pub use twice::{Difference, Nondeterminism, Twice};
