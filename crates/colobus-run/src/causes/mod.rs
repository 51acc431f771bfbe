//! Why an interaction fails, as words that are the same in every run: the [`Condition`] under which it does, and the
//! [`Signature`] of what differs then. What a race leaves behind depends on chance; the same steps with messages that pass
//! one at a time ([`Serial`]) do not. Asked by the search for every failure, before anything is reduced.

mod activity;
mod condition;
mod labels;
mod personal;
mod refusals;
mod signature;

use colobus_check::{Checks, Judgement};
use colobus_model::{Action, Event, Interaction, PersonalPlace, Schedule, Trace};
use colobus_schedule::orders::one_after_the_other;
use colobus_schedule::{Bounded, Limit, Serial, Strategy};
use colobus_world::{World, WorldError};

use crate::Failure;
use crate::execute::{Executed, Faults, Setup, execute, follow, run_in};
use condition::Condition;
use personal::Personal;
use refusals::Refusals;
use signature::Signature;

/// An application that never stops sending is let go after this many events.
const MOST_EVENTS: usize = 200;
/// How often an execution of which nothing can be said is tried.
const ATTEMPTS: usize = 3;
/// How many orders of single messages are tried for a failure that was left to chance: enough for one message that others overtake.
const SINGLE_ORDERS: usize = 10;

/// Why an interaction fails.
pub(crate) enum Diagnosis {
    /// The name of the cause and, if it fails in an order of single messages, the failure in that order.
    Cause { name: String, stable: Option<Box<(Failure, Trace)>> },
    /// It does not: clients differ in these places even when users take turns, or the server refuses the same then.
    Personal(Vec<PersonalPlace>),
}

/// Runs the failing interaction again, once or twice, with messages that pass one at a time, and says why it fails.
pub(crate) fn diagnose(
    world: &mut dyn World,
    setup: &Setup,
    trace: &Trace,
    failure: &Failure,
) -> Result<Diagnosis, WorldError> {
    // Whether a late joiner is asked must not depend on what a race left behind.
    let joins = |check| setup.checks.find(check).is_some_and(|check| check.needs_late_joiner());
    let setup = &setup.with_late_joiner(failure.checks().all(joins));
    let interaction = &trace.interaction;
    if let Some(fewer) = concerned(interaction, failure, setup.checks)
        && run(world, setup, &fewer, Serial::ahead(&fewer, false))?
            .judgement
            .same_failure(&failure.check, failure.difference.kind)
            .is_some()
    {
        return Ok(Diagnosis::Cause { name: named(&Condition::OneUser, failure, trace, setup.checks), stable: None });
    }
    let refusals = Refusals::of(world, setup, trace, failure)?;
    let Some(failure) = &refusals.left_of(failure.clone(), trace, setup.checks) else {
        return Ok(Diagnosis::Personal(Vec::new()));
    };
    let alone = interaction.clients() == 1;
    let personal = if alone { Personal::nothing() } else { Personal::of(world, setup, trace, failure)? };
    let left = personal.left_of(failure.clone(), trace, setup.checks);
    if let (None, Some(places)) = (&left, personal.places(trace)) {
        return Ok(Diagnosis::Personal(places));
    }
    // Places without a name cannot be ignored: users see that they differ, unless there is something worse to see.
    let personal = if left.is_some() { personal } else { Personal::nothing() };
    let failure = left.as_ref().unwrap_or(failure);
    let fails = |executed: Executed| {
        let (failure, trace) = fails(executed)?;
        let failure = refusals.left_of(failure, &trace, setup.checks)?;
        personal.left_of(failure, &trace, setup.checks).map(|failure| (failure, trace))
    };
    let mut failed = Vec::new();
    for reversed in if alone { &[false][..] } else { &[false, true] } {
        failed.extend(fails(run(world, setup, interaction, Serial::ahead(interaction, *reversed))?));
    }
    let condition = match (failed.len(), alone) {
        (1, true) => Condition::OneUser,
        (1, false) => Condition::OneFirst,
        (2, _) => match fails(in_turn(world, setup, interaction)?) {
            Some(in_turn) if same_signature(&in_turn, &failed[0], setup.checks) => Condition::InTurn,
            _ => Condition::AnyFirst,
        },
        _ => return among_other_orders(world, setup, trace, failure),
    };
    let (failure, trace) = failed.swap_remove(0);
    Ok(Diagnosis::Cause {
        name: named(&condition, &failure, &trace, setup.checks),
        stable: Some(Box::new((failure, trace))),
    })
}

/// Whether two executions went wrong in the same way.
fn same_signature((one, seen): &(Failure, Trace), (other, trace): &(Failure, Trace), checks: Checks) -> bool {
    Signature::of(one, seen, checks) == Signature::of(other, trace, checks)
}

/// Messages that pass one at a time after all have acted do no harm: something else is needed.
fn among_other_orders(
    world: &mut dyn World,
    setup: &Setup,
    trace: &Trace,
    failure: &Failure,
) -> Result<Diagnosis, WorldError> {
    let order = &trace.schedule;
    if let Some(fault) = order.events.iter().find(|event| event.begins_fault()) {
        let name = named(&Condition::Fault(fault.clone()), failure, trace, setup.checks);
        return Ok(Diagnosis::Cause { name, stable: None });
    }
    if interrupts_an_action(order, &trace.interaction) {
        let between = run(world, setup, &trace.interaction, Serial::along(order, &trace.interaction))?;
        if let Some((failure, trace)) = fails(between) {
            let name = named(&Condition::BetweenSteps, &failure, &trace, setup.checks);
            return Ok(Diagnosis::Cause { name, stable: Some(Box::new((failure, trace))) });
        }
    }
    if !order.events.contains(&Event::Flush) {
        return Ok(Diagnosis::Cause {
            name: named(&Condition::CertainOrder, failure, trace, setup.checks),
            stable: None,
        });
    }
    if let Some((failure, trace)) = in_single_order(world, setup, trace, failure)? {
        let diagnosis = among_other_orders(world, setup, &trace, &failure)?;
        return Ok(match diagnosis {
            Diagnosis::Cause { name, stable: None } => {
                Diagnosis::Cause { name, stable: Some(Box::new((failure, trace))) }
            }
            other => other,
        });
    }
    Ok(Diagnosis::Cause { name: Condition::Together.to_string(), stable: None })
}

/// The same failure in an order of single messages. Messages that flow take an order by chance, on a busy machine also one that is far
/// from the usual, and several times in a row: that a failure comes back while they flow does not say that they met in the application.
fn in_single_order(
    world: &mut dyn World,
    setup: &Setup,
    trace: &Trace,
    failure: &Failure,
) -> Result<Option<(Failure, Trace)>, WorldError> {
    let mut strategy = Limit::new(Bounded::nearest_first(vec![Vec::new()]), SINGLE_ORDERS, MOST_EVENTS);
    while strategy.begin() {
        let executed = execute(world, setup, &trace.interaction, &mut strategy, Faults::none())?;
        strategy.end((!executed.abandoned).then_some(u64::from(executed.judgement != Judgement::Pass)));
        let is_accident = executed.trace.has_exit() && !trace.has_exit();
        if !is_accident && executed.judgement.same_failure(&failure.check, failure.difference.kind).is_some() {
            return Ok(fails(executed));
        }
    }
    Ok(None)
}

/// The interaction without what the failing check is not about; `None` if it is about all of it.
fn concerned(interaction: &Interaction, failure: &Failure, checks: Checks) -> Option<Interaction> {
    let check = checks.find(&failure.check)?;
    let (about, others): (Vec<Action>, Vec<Action>) =
        interaction.concurrent.iter().cloned().partition(|action| check.concerns(action));
    (!about.is_empty() && !others.is_empty()).then(|| Interaction { concurrent: about, ..interaction.clone() })
}

fn named(condition: &Condition, failure: &Failure, trace: &Trace, checks: Checks) -> String {
    format!("{condition}: {}", Signature::of(failure, trace, checks))
}

fn run(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    serial: Serial,
) -> Result<Executed, WorldError> {
    certainly(|| run_in(world, setup, interaction, Limit::new(serial.clone(), 1, MOST_EVENTS)))
}

/// Repeats an execution of which nothing can be said, perhaps because a network is gone for a while: it would count as one that passes. A
/// browser that stays away has died meanwhile; what is still unknown then is so because of the application.
fn certainly(mut execute: impl FnMut() -> Result<Executed, WorldError>) -> Result<Executed, WorldError> {
    let mut executed = execute()?;
    for _ in 1..ATTEMPTS {
        if !matches!(executed.judgement, Judgement::Unknown(_)) {
            break;
        }
        executed = execute()?;
    }
    Ok(executed)
}

/// The control run: the same actions, each user after everything has arrived that the others did.
fn in_turn(world: &mut dyn World, setup: &Setup, interaction: &Interaction) -> Result<Executed, WorldError> {
    certainly(|| follow(world, setup, interaction, &one_after_the_other(interaction, false)))
}

fn fails(executed: Executed) -> Option<(Failure, Trace)> {
    Failure::judged(&executed.judgement).map(|failure| (failure, executed.trace))
}

/// Whether a message arrives between two steps of one action.
fn interrupts_an_action(order: &Schedule, interaction: &Interaction) -> bool {
    // Of each client, whether something arrived since its last step.
    let mut arrived = vec![false; interaction.clients()];
    for event in &order.events {
        match *event {
            Event::Step { client, step } => {
                let goes_on = step % interaction.concurrent[client.0].steps.len().max(1) != 0;
                if goes_on && arrived[client.0] {
                    return true;
                }
                arrived[client.0] = false;
            }
            Event::Flush | Event::Deliver { .. } => arrived.fill(true),
            _ => {}
        }
    }
    false
}
