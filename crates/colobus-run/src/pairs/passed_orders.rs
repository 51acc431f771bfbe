//! [`PassedOrders`]: the orders of one interaction that passed, and by what happened in the first of them, which others are the
//! same to all clients. Kept by [`InteractionRun`](super::interaction_run::InteractionRun).

use std::collections::BTreeSet;

use colobus_model::{Event, Schedule};
use colobus_schedule::{Course, SilentSteps};

#[derive(Default)]
pub(super) struct PassedOrders {
    /// Known from the first of them.
    silent: Option<SilentSteps>,
    courses: BTreeSet<Course>,
}

impl PassedOrders {
    /// One more, and what its execution showed.
    pub fn add(&mut self, order: Vec<Event>, seen: impl FnOnce() -> SilentSteps) {
        let silent = self.silent.get_or_insert_with(seen);
        self.courses.extend(silent.course(&Schedule { events: order }));
    }

    /// Whether clients and application would notice no difference to one of them.
    pub fn has_equivalent_of(&self, order: &Schedule) -> bool {
        let course = self.silent.as_ref().and_then(|silent| silent.course(order));
        course.is_some_and(|course| self.courses.contains(&course))
    }
}
