//! A failing interaction, made small: the shortest [`prefix`], the fewest clients and steps ([`interaction`]), the smallest
//! [`order`], one that comes back every time ([`stability`]), and beside it one that works ([`contrast`]). Every candidate is
//! really run.

mod contrast;
mod interaction;
mod order;
mod prefix;
mod stability;

use colobus_check::Judgement;
use colobus_model::{FailingInteraction, Reproduction, Searched, Trace};
use colobus_world::{World, WorldError};

use crate::execute::Setup;
use crate::{Failure, Reduced, Repeat, SeenFailure};
use contrast::{Contrast, contrast};
use interaction::smaller_interaction;
use order::shrink_order;
use prefix::shortest_prefix;
use stability::{Reproduced, steadiest};

/// Whether a judgement is the failure that is being reduced.
type Same<'a> = dyn Fn(&Judgement) -> bool + 'a;

/// The smallest that fails like what was seen, and how often it came back. Only the first of a cause is made smaller.
pub(crate) fn reduce(
    world: &mut dyn World,
    setup: &Setup,
    seen: SeenFailure<Trace>,
) -> Result<Reduced<Trace>, WorldError> {
    let SeenFailure { evidence: trace, failure, repeat, leads } = seen;
    let setup = &looking_for(failure, setup);
    if !leads {
        let Reproduced { trace, times: reproduced } = Reproduced { trace, times: 0 }.count(world, setup, &repeat)?;
        return Ok(Reduced { searched: as_seen(&trace), evidence: trace, failure: failure.clone(), reproduced });
    }
    let same = |judgement: &Judgement| judgement.same_failure(&failure.check, failure.difference.kind).is_some();
    let whole = shortest_prefix(world, setup, &trace, &same)?.unwrap_or(trace);
    let smaller = smaller_interaction(world, setup, whole.clone(), &same)?;
    let is_smaller = smaller.interaction != whole.interaction;
    let mut found = in_its_smallest_order(world, setup, smaller, &repeat, &same)?;
    // What is smaller may leave more to chance: then the whole is worth more.
    if found.times < repeat.times && is_smaller {
        let whole = in_its_smallest_order(world, setup, whole, &repeat, &same)?;
        found = if whole.times > found.times { whole } else { found };
    }
    let Reproduced { trace, times: reproduced } = steadiest(world, setup, found, &repeat, &same)?;
    let contrast = contrast(world, setup, &trace)?;
    let failure = Failure::judged(&setup.checks.judge(&trace)).unwrap_or_else(|| failure.clone());
    Ok(Reduced { searched: searched(&trace, contrast), evidence: trace, failure, reproduced })
}

/// With a late joiner only if one of the failing checks judges it.
fn looking_for(failure: &Failure, setup: &Setup) -> Setup {
    let needs_late_joiner = |check| setup.checks.find(check).is_some_and(|check| check.needs_late_joiner());
    setup.with_late_joiner(failure.checks().any(needs_late_joiner))
}

/// A failing trace as it was seen.
pub(crate) fn as_seen(trace: &Trace) -> Searched {
    searched(trace, Contrast::default())
}

fn searched(trace: &Trace, contrast: Contrast) -> Searched {
    Searched::Interaction(FailingInteraction {
        prefix: trace.interaction.prefix_names(),
        concurrent: trace.interaction.concurrent_names(),
        line: Reproduction::of(&trace.interaction, &trace.schedule).to_string(),
        schedule: trace.schedule.clone(),
        passing: contrast.passing,
        critical: contrast.critical,
    })
}

/// The failure in the smallest order, run again.
fn in_its_smallest_order(
    world: &mut dyn World,
    setup: &Setup,
    trace: Trace,
    repeat: &Repeat,
    same: &Same,
) -> Result<Reproduced, WorldError> {
    let trace = shrink_order(world, setup, trace, same)?;
    Reproduced { trace, times: 0 }.count(world, setup, repeat)
}
