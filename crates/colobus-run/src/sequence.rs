//! One client performs one sequence of actions: the executions of phase 1.

use colobus_driver::{Wanted, World, WorldError};
use colobus_trace::{Action, ClientId, Observation, Outcome};

use crate::execute::{Halt, act, quiet};
use crate::typist::Typist;

/// What one client shows after each action of a sequence, from `observe_from` actions on. Ends early at an action that
/// does not apply or a state of which nothing can be said; the last entry tells.
pub(crate) fn explore_sequence(
    world: &mut dyn World,
    actions: &[&Action],
    observe_from: usize,
    wanted: Wanted,
) -> Result<Vec<Result<Observation, Outcome>>, WorldError> {
    let mut seen = Vec::new();
    match walk(world, actions, observe_from, wanted, &mut seen) {
        Ok(()) => {}
        Err(Halt::Outcome(outcome)) => seen.push(Err(outcome)),
        Err(Halt::Error(error)) => return Err(error),
    }
    Ok(seen)
}

fn walk(
    world: &mut dyn World,
    actions: &[&Action],
    observe_from: usize,
    wanted: Wanted,
    seen: &mut Vec<Result<Observation, Outcome>>,
) -> Result<(), Halt> {
    let mut typist = Typist::default();
    quiet(world.begin(1)?, "when the document was opened")?;
    for done in 0..=actions.len() {
        if done > 0 {
            act(world, ClientId(0), actions[done - 1], &mut typist)?;
            quiet(world.settle()?, "after an action")?;
        }
        if done >= observe_from {
            seen.push(Ok(world.observe(ClientId(0), wanted)?));
        }
    }
    Ok(())
}
