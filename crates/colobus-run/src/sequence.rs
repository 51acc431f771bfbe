//! One client performs one sequence of actions: the executions of phase 1.

use colobus_model::{Action, Caret, CaretPlace, Carets, ClientId, Observation, Outcome, TokenFiller};
use colobus_world::{ObserveOptions, World, WorldError};

use crate::execute::{Halt, act, quiet};

/// What is looked at after an action.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub wanted: ObserveOptions,
    /// Also where the caret is.
    pub caret: bool,
}

/// What one client shows after each action of a sequence, from `observe_from` actions on. Ends early at an action that
/// does not apply or a state of which nothing can be said; the last entry tells.
pub(crate) fn explore_sequence(
    world: &mut dyn World,
    actions: &[&Action],
    observe_from: usize,
    look: Look,
) -> Result<Vec<Result<Observation, Outcome>>, WorldError> {
    let mut seen = Vec::new();
    match walk(world, actions, observe_from, look, &mut seen) {
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
    look: Look,
    seen: &mut Vec<Result<Observation, Outcome>>,
) -> Result<(), Halt> {
    let mut token_filler = TokenFiller::default();
    quiet(world.begin(1)?, "when the document was opened")?;
    for done in 0..=actions.len() {
        if done > 0 {
            act(world, ClientId(0), actions[done - 1], &mut token_filler)?;
            quiet(world.settle()?, "after an action")?;
        }
        if done >= observe_from {
            let mut observation = world.observe(ClientId(0), look.wanted)?;
            if look.caret {
                let own = world.caret(ClientId(0))?.map(|Caret(place)| CaretPlace::Document(place));
                observation.carets = Some(Box::new(Carets { own, shown: Vec::new() }));
            }
            seen.push(Ok(observation));
        }
    }
    Ok(())
}
