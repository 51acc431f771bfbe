//! What makes a failing order fail: an order of the same actions that works, really run, and the fault that it does
//! not have, or the two events that it has the other way round.

use colobus_check::Judgement;
use colobus_model::{Critical, Event, Interaction, Schedule, Trace};
use colobus_schedule::orders::one_after_the_other;
use colobus_schedule::{InTurn, Natural, reversals};
use colobus_world::{World, WorldError};

use crate::execute::{Setup, follow, run_in};

/// The order that works beside one that fails.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contrast {
    pub passing: Option<Schedule>,
    pub critical: Option<Critical>,
}

/// Looks for an order in which the interaction of a failing trace passes, the natural one before those in which one client
/// acts after the other. An interaction that goes wrong in any order has none.
pub(crate) fn contrast(world: &mut dyn World, setup: &Setup, failing: &Trace) -> Result<Contrast, WorldError> {
    let failing_order = &failing.schedule.events;
    for attempt in 0..2 {
        let executed = if failing_order.contains(&Event::Flush) {
            follow(world, setup, &failing.interaction, &one_after_the_other(&failing.interaction, attempt == 1))?
        } else if attempt == 0 {
            run_in(world, setup, &failing.interaction, Natural::new())?
        } else {
            run_in(world, setup, &failing.interaction, InTurn::new())?
        };
        if executed.judgement == Judgement::Pass {
            let order = executed.execution.order();
            let critical = critical(&order, failing_order);
            return Ok(Contrast { passing: Some(Schedule { events: order }), critical });
        }
    }
    Ok(Contrast::default())
}

/// A fault is needed wherever one is left; only without any can the order alone be to blame.
fn critical(passing: &[Event], failing: &[Event]) -> Option<Critical> {
    let reversed = || reversals(passing, failing).into_iter().next();
    Critical::fault_of(failing).or_else(|| {
        reversed().map(|found| Critical::Reversed {
            first: found.first,
            second: found.second,
            positions: found.positions,
        })
    })
}

/// Whether nothing is wrong if the clients wait for each other.
pub(crate) fn passes_in_turn(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
) -> Result<bool, WorldError> {
    let executed = follow(world, setup, interaction, &one_after_the_other(interaction, false))?;
    Ok(executed.judgement == Judgement::Pass)
}
