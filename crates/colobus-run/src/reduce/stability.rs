//! A failure that does not come back every time depends on an order that its schedule leaves to chance, such as who of
//! two is served first after `~`. [`steadiest`] looks for an order of single messages with which it does come back.

use colobus_check::Judgement;
use colobus_model::Trace;
use colobus_schedule::{Bounded, Limit, Strategy};
use colobus_world::{World, WorldError};

use super::Same;
use super::order::shrink_order;
use crate::Repeat;
use crate::execute::{Faults, Setup, execute, follow};

/// How many orders are tried to find a stable one, and how many failing ones of them are looked at closely.
const MOST_ORDERS: usize = 32;
const MOST_CANDIDATES: usize = 2;
const MOST_EVENTS: usize = 200;

/// A failing trace, and how often running it again failed.
pub(crate) struct Reproduced {
    pub trace: Trace,
    pub times: usize,
}

impl Reproduced {
    /// Runs the trace again.
    pub fn count(self, world: &mut dyn World, setup: &Setup, repeat: &Repeat) -> Result<Reproduced, WorldError> {
        let recorded = setup.checks.judge(&self.trace);
        let times = repeat.count(|| {
            let executed = follow(world, setup, &self.trace.interaction, &self.trace.schedule)?;
            Ok(setup.checks.fail_alike(&executed.judgement, &recorded))
        })?;
        Ok(Reproduced { times, ..self })
    }
}

/// The failure as it was found, or in an order in which it comes back more often.
pub(crate) fn steadiest(
    world: &mut dyn World,
    setup: &Setup,
    found: Reproduced,
    repeat: &Repeat,
    same: &Same,
) -> Result<Reproduced, WorldError> {
    let mut best = found;
    let interaction = best.trace.interaction.clone();
    let faults = Faults::of(&best.trace.schedule.events).without_flushes();
    let mut strategy = Limit::new(Bounded::nearest_first(vec![Vec::new()]), MOST_ORDERS, MOST_EVENTS);
    let mut candidates = 0;
    while best.times < repeat.times && candidates < MOST_CANDIDATES && strategy.begin() {
        let executed = execute(world, setup, &interaction, &mut strategy, faults.clone())?;
        strategy.end((!executed.abandoned).then_some(u64::from(executed.judgement != Judgement::Pass)));
        let is_accident = executed.trace.has_exit() && !best.trace.has_exit();
        if same(&executed.judgement) && !is_accident {
            candidates += 1;
            let trace = shrink_order(world, setup, executed.trace, same)?;
            let candidate = Reproduced { trace, times: 0 }.count(world, setup, repeat)?;
            if candidate.times > best.times {
                best = candidate;
            }
        }
    }
    Ok(best)
}
