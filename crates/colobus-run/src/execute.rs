//! Executes one interaction in one order and returns its [`Trace`], judged and, if it failed, looked at twice.

use colobus_check::{Judgement, judge};
use colobus_driver::{Settled, StepOutcome, Wanted, World, WorldError};
use colobus_trace::{
    Action, Application, Aspect, ClientId, Event, Interaction, Observation, Outcome, Schedule, TRACE_VERSION, Trace,
};

/// What all executions of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub application: Application,
    pub judged_by: Vec<Aspect>,
    pub known_errors: Vec<String>,
}

/// Ends an execution early: nothing more can be learned from it.
enum Halt {
    Outcome(Outcome),
    Error(WorldError),
}

impl From<WorldError> for Halt {
    fn from(error: WorldError) -> Halt {
        match error {
            WorldError::Interrupted(reason) => Halt::Outcome(Outcome::Unknown(reason)),
            error => Halt::Error(error),
        }
    }
}

/// Runs the interaction and judges it. A difference counts only if it is still there after settling once more; the
/// second look takes in everything, as evidence.
pub(crate) fn execute(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    schedule: &Schedule,
) -> Result<(Trace, Judgement), WorldError> {
    let mut trace = Trace {
        version: TRACE_VERSION,
        application: setup.application.clone(),
        interaction: interaction.clone(),
        schedule: schedule.clone(),
        judged_by: setup.judged_by.clone(),
        observations: Vec::new(),
        known_errors: setup.known_errors.clone(),
        outcome: Outcome::Completed,
    };
    match perform(world, &mut trace) {
        Ok(judgement) => Ok((trace, judgement)),
        Err(Halt::Outcome(outcome)) => {
            trace.outcome = outcome;
            let judgement = judge(&trace);
            Ok((trace, judgement))
        }
        Err(Halt::Error(error)) => Err(error),
    }
}

fn perform(world: &mut dyn World, trace: &mut Trace) -> Result<Judgement, Halt> {
    let clients = trace.interaction.clients();
    quiet(world.begin(clients)?, "when the document was opened")?;
    for action in &trace.interaction.prefix {
        act(world, ClientId(0), action)?;
        quiet(world.settle()?, "after the prefix")?;
    }
    share_caret(world, clients)?;
    follow(world, &trace.interaction, &trace.schedule)?;

    trace.observations = observe(world, clients, Wanted::aspects(&trace.judged_by))?;
    let judgement = judge(trace);
    if !matches!(judgement, Judgement::Fail { .. }) {
        return Ok(judgement);
    }
    quiet(world.settle()?, "after the concurrent actions")?;
    trace.observations = observe(world, clients, Wanted::all())?;
    Ok(judge(trace))
}

/// Every client's caret goes where the prefix left A's.
fn share_caret(world: &mut dyn World, clients: usize) -> Result<(), Halt> {
    if let Some(caret) = world.caret(ClientId(0))? {
        for client in 1..clients {
            world.place_caret(ClientId(client), &caret)?;
        }
        quiet(world.settle()?, "after the carets were placed")?;
    }
    Ok(())
}

fn follow(world: &mut dyn World, interaction: &Interaction, schedule: &Schedule) -> Result<(), Halt> {
    world.hold()?;
    let mut held = true;
    for event in &schedule.events {
        match *event {
            Event::Step { client, step } => {
                if !held {
                    world.hold()?;
                    held = true;
                }
                let action = &interaction.concurrent[client.0];
                applied(action, world.step(client, &action.steps[step])?)?;
            }
            Event::Flush => {
                quiet(world.settle()?, "after the concurrent actions")?;
                held = false;
            }
            Event::Deliver { .. } | Event::Cut { .. } | Event::Restore { .. } | Event::Reload { .. } => {
                let reason = format!("the order has the event {event}, which cannot be performed yet");
                return Err(Halt::Outcome(Outcome::Unknown(reason)));
            }
        }
    }
    // A schedule may end without delivering everything; clients can only agree once everything is delivered.
    if held {
        quiet(world.settle()?, "after the concurrent actions")?;
    }
    Ok(())
}

fn act(world: &mut dyn World, client: ClientId, action: &Action) -> Result<(), Halt> {
    for step in &action.steps {
        applied(action, world.step(client, step)?)?;
    }
    Ok(())
}

fn observe(world: &mut dyn World, clients: usize, wanted: Wanted) -> Result<Vec<Observation>, Halt> {
    (0..clients).map(|client| world.observe(ClientId(client), wanted).map_err(Halt::from)).collect()
}

fn applied(action: &Action, outcome: StepOutcome) -> Result<(), Halt> {
    match outcome {
        StepOutcome::Done => Ok(()),
        StepOutcome::NotApplicable(reason) => {
            Err(Halt::Outcome(Outcome::NotApplicable(format!("{}: {reason}", action.name))))
        }
    }
}

fn quiet(settled: Settled, when: &str) -> Result<(), Halt> {
    match settled {
        Settled::Quiet => Ok(()),
        Settled::Restless(reason) => {
            Err(Halt::Outcome(Outcome::Unknown(format!("the page did not settle {when}: {reason}"))))
        }
    }
}

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
    quiet(world.begin(1)?, "when the document was opened")?;
    for done in 0..=actions.len() {
        if done > 0 {
            act(world, ClientId(0), actions[done - 1])?;
            quiet(world.settle()?, "after an action")?;
        }
        if done >= observe_from {
            seen.push(Ok(world.observe(ClientId(0), wanted)?));
        }
    }
    Ok(())
}
