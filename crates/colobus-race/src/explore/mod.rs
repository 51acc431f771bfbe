//! The search for orders that matter: R4's exploration (thesis 8.4) within a conflict-reversal bound. [`Search`] says
//! which order to execute next and is told what came of it; [`explore`] drives it on a [`Page`].
//!
//! # The algorithm, and where it differs from the printed one
//! Each executed order is searched for [relevant conflicts](crate::conflicts). Each is turned round: the events before the
//! pair stay, then come those between the pair that the second event needs, the second event, the first event, and the
//! rest in its old order. An event that was cancelled is tried once before the event that cancelled it. A reversal of an
//! order at depth d has depth d + 1, and orders are executed by depth, so that a bound is raised step by step, no order is
//! executed for a larger bound again, and the depth of an order is the least possible (repair R2). The printed
//! algorithm goes depth first and loses orders within a bound, because `done` sets forget on which way an event was
//! taken.
//!
//! An order is not executed if
//! - an executed order, or one equivalent to it, begins with it, after the events have been left out that are known not
//!   to be enabled (repair R1: a residue that cannot run is never tried again);
//! - it is *equivalent* to an executed one by the relation of **that** execution: it has the same events and turns
//!   none of its dependent pairs round. Its execution is then known without a run, and its own reversals are planned
//!   as if it had run.
//!
//! Between two dependent events that become neighbours only those are moved that the second needs (repair R3). Events
//! that were not planned run after the plan until the page settles; they are compared and not turned round (repair R4),
//! unless [`Tail::TakesPart`].
//!
//! Without a bound a reversal is also dropped if an executed order has the same beginning up to the first moved event
//! (persistent sets). That is sound only because the whole tree below that beginning is going to be explored.

mod equivalence;
mod executed_orders;
mod facts;
mod names;
mod page;
mod plan;
mod progress;
mod search;
mod settings;

pub use page::{Page, PageError, explore};
pub use plan::{Plan, PlanKey, Reversal};
pub use progress::{Explored, Next, PlanResult, Status, Tally};
pub use search::Search;
pub use settings::{Settings, Tail};
