//! A failing interaction, made small: the shortest [`prefix`], the fewest clients and steps ([`interaction`]), the smallest
//! [`order`], one that comes back every time ([`stability`]), and beside it one that works ([`contrast`]). Every candidate is
//! really run.

mod contrast;
mod interaction;
mod order;
mod prefix;
mod stability;

use colobus_check::{Judgement, find};
use colobus_model::{Difference, FailingInteraction, Reproduction, Searched, Trace};
use colobus_world::{World, WorldError};

use crate::execute::Setup;
use crate::{Failure, Reduced, Repeat};
use contrast::{Contrast, contrast};
use interaction::smaller_interaction;
use order::shrink_order;
use prefix::shortest_prefix;
use stability::{Reproduced, steadiest};

/// Whether a judgement is the failure that is being reduced: then its difference.
type Same<'a> = dyn Fn(&Judgement) -> Option<Difference> + 'a;

/// The smallest that fails like the trace, and how often it came back.
pub(crate) fn reduce(
    world: &mut dyn World,
    setup: &Setup,
    trace: Trace,
    failure: &Failure,
    repeat: &Repeat,
) -> Result<Reduced<Trace>, WorldError> {
    let needs_late_joiner = find(&failure.check).is_some_and(|check| check.needs_late_joiner());
    let setup = &setup.with_late_joiner(needs_late_joiner);
    let same = |judgement: &Judgement| same_failure(failure, judgement);
    let (trace, difference) = match shortest_prefix(world, setup, &trace, &same)? {
        Some(shorter) => shorter,
        None => (trace, failure.difference.clone()),
    };
    let whole = (trace.clone(), difference.clone());
    let smaller = smaller_interaction(world, setup, trace, difference, &same)?;
    let is_smaller = smaller.0.interaction != whole.0.interaction;
    let mut found = in_its_smallest_order(world, setup, smaller, repeat, &same)?;
    // What is smaller may leave more to chance: then the whole is worth more.
    if found.times < repeat.times && is_smaller {
        let whole = in_its_smallest_order(world, setup, whole, repeat, &same)?;
        found = if whole.times > found.times { whole } else { found };
    }
    let Reproduced { trace, difference, times: reproduced } = steadiest(world, setup, found, repeat, &same)?;
    let contrast = contrast(world, setup, &trace)?;
    Ok(Reduced { searched: searched(&trace, contrast), evidence: trace, difference, reproduced })
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

fn same_failure(failure: &Failure, judgement: &Judgement) -> Option<Difference> {
    match judgement {
        Judgement::Fail { check, difference }
            if *check == failure.check && difference.kind == failure.difference.kind =>
        {
            Some(difference.clone())
        }
        _ => None,
    }
}

/// The failure in the smallest order, run again.
fn in_its_smallest_order(
    world: &mut dyn World,
    setup: &Setup,
    (trace, difference): (Trace, Difference),
    repeat: &Repeat,
    same: &Same,
) -> Result<Reproduced, WorldError> {
    let (trace, difference) = shrink_order(world, setup, trace, difference, same)?;
    Reproduced { trace, difference, times: 0 }.count(world, setup, repeat)
}
