//! From an order of single events that fails to the smallest that does. Every candidate is really run.

use colobus_model::{Event, Schedule, Trace};
use colobus_schedule::{Natural, Shrinker};
use colobus_world::{World, WorldError};

use super::Same;
use crate::execute::{Setup, follow, run_in};

/// Enough for every order that people can read; an endless application must not keep a run from its end.
const MOST_CANDIDATES: usize = 40;

/// The smallest order with which the trace's interaction fails in the same way. Orders that stand for "at the same
/// time" are small already and are left as they are.
pub(crate) fn shrink_order(
    world: &mut dyn World,
    setup: &Setup,
    trace: Trace,
    same: &Same,
) -> Result<Trace, WorldError> {
    let is_single = |event: &Event| !matches!(event, Event::Step { .. } | Event::Flush);
    if !trace.schedule.events.iter().any(is_single) {
        return Ok(trace);
    }
    let interaction = trace.interaction.clone();
    let naturally = run_in(world, setup, &interaction, Natural::new())?;
    if same(&naturally.judgement) {
        return Ok(naturally.trace);
    }
    let again = follow(world, setup, &interaction, &trace.schedule)?;
    if !same(&again.judgement) {
        return Ok(trace);
    }
    let mut smallest = again.trace;
    let mut shrinker = Shrinker::new(naturally.execution.order(), again.execution);
    for _ in 0..MOST_CANDIDATES {
        let Some(events) = shrinker.candidate() else { break };
        let executed = follow(world, setup, &interaction, &Schedule { events })?;
        let failed = same(&executed.judgement);
        shrinker.answer(failed.then(|| executed.execution.clone()));
        if failed && executed.trace.schedule.events == shrinker.smallest() {
            smallest = executed.trace;
        }
    }
    Ok(smallest)
}
