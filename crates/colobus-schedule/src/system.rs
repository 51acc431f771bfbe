//! [`System`]: a world in memory, and [`explore`], which lets a strategy loose on it. For models such as those of
//! transformation functions, and for tests; a world of browsers has a loop of its own.

use crate::{Choice, Digest, Execution, Schedulable, Strategy};

/// Anything with a state in which some events are enabled.
pub trait System {
    type Event: Schedulable;

    /// What can happen now, each once, in an order that depends on the state alone.
    fn enabled(&self) -> Vec<Self::Event>;

    /// Makes one of the enabled events happen.
    fn perform(&mut self, event: &Self::Event);

    /// What the state would be judged by.
    fn digest(&self) -> Digest;
}

/// Executes every order that the strategy asks for, each on a fresh system, and shows how each ended.
pub fn explore<S: System>(
    strategy: &mut dyn Strategy<S::Event>,
    mut fresh: impl FnMut() -> S,
    mut visit: impl FnMut(&Execution<S::Event>, &S),
) {
    while strategy.begin() {
        let mut system = fresh();
        let mut execution = Execution::default();
        loop {
            let enabled = system.enabled();
            if enabled.is_empty() {
                execution.complete = true;
                break;
            }
            let Choice::Take(index) = strategy.choose(&enabled) else { break };
            let Some(event) = enabled.get(index) else { break };
            execution.record(&enabled, event);
            system.perform(event);
        }
        strategy.end(execution.complete.then(|| system.digest()));
        visit(&execution, &system);
    }
}
