//! Executes one interaction in the order that a strategy chooses and returns its [`Trace`] with a judgement. A failure is judged
//! again after settling once more.

mod commuting;
mod determinism;
mod faults;
mod long_looks;
mod meter;
mod snapshots;

use std::collections::BTreeMap;

use std::sync::Arc;

use colobus_check::{Checks, Judgement, Symptom};
use colobus_compare::changed;
use colobus_model::{
    Action, Application, Aspect, ClientId, Event, Interaction, NotApplicable, Observation, Outcome, Part, Schedule,
    Step, TRACE_VERSION, TokenFiller, Trace,
};
use colobus_schedule::{Choice, Execution, Followed, Replay, SilentSteps, Strategy};
use colobus_world::{ObserveOptions, Settled, StepOutcome, World, WorldError};

use crate::StopSignal;
use crate::pairs::SoloOutcomes;
use commuting::Commuting;
pub(crate) use determinism::{described, digest};
pub(crate) use faults::Faults;
pub(crate) use long_looks::LongLooks;
pub(crate) use meter::Exercise;
use meter::Meter;
use snapshots::Snapshots;

/// Settings shared by all executions of a run.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub application: Application,
    pub judged_by: Vec<Aspect>,
    pub checks: Checks,
    pub known_errors: Vec<String>,
    pub alone: Arc<SoloOutcomes>,
    /// Whether a further client opens the document in the end.
    pub late_joiner: bool,
    /// Which executions are looked at again after a long silence; `None` in reduction and repetition.
    pub long_looks: Option<Arc<LongLooks>>,
    /// Whether strategies are told which events touched nothing in common.
    pub precise: bool,
    /// Whether it is noted if the actions change anything: phase 1 has not told.
    pub notes_changes: bool,
    /// No execution begins once it is set.
    pub stop: StopSignal,
}

impl Setup {
    /// The same, with or without a client that opens the document in the end.
    pub fn with_late_joiner(&self, late_joiner: bool) -> Setup {
        Setup { late_joiner, ..self.clone() }
    }
}

/// One execution: what it showed, what that means, and the order it really took.
pub(crate) struct Executed {
    pub trace: Trace,
    pub judgement: Judgement,
    pub execution: Execution<Event>,
    /// How far it could follow a given order.
    pub followed: Option<Followed<Event>>,
    /// The strategy knows the outcome of an equivalent order: nothing was observed.
    pub abandoned: bool,
    meter: Meter,
    /// What the first client showed before users acted at the same time, if that was looked at.
    before: Option<Observation>,
}

impl Executed {
    /// What it exercised, as far as it went.
    pub fn exercise(&self) -> Exercise {
        let mut exercise = self.meter.exercise(&self.trace.interaction);
        exercise.sometimes = self.trace.observations.iter().flat_map(|seen| seen.sometimes.clone()).collect();
        exercise.changed = self.before.as_ref().filter(|_| !self.trace.observations.is_empty()).map(|before| {
            let ignored = self.trace.application.ignored_rectangles();
            let differs = |after: &Observation, aspect: Aspect| {
                changed(before, after, aspect, &ignored).is_ok_and(|changed| !changed.is_empty())
            };
            let aspects = &self.trace.judged_by;
            self.trace.observations.iter().any(|after| aspects.iter().any(|aspect| differs(after, *aspect)))
        });
        exercise
    }

    /// Steps that sent nothing, of an execution that came to its end.
    pub fn silent_steps(&self) -> SilentSteps {
        match self.execution.complete {
            true => self.meter.silent_steps(&self.execution.order()),
            false => SilentSteps::default(),
        }
    }
}

/// Ends an execution early: nothing more can be learned from it.
pub(crate) enum Halt {
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

/// Repeats an execution during which the application exits: an accident is over then, and what the interaction does to the
/// application happens again.
pub(crate) fn without_accident(
    mut execute: impl FnMut() -> Result<Executed, WorldError>,
) -> Result<Executed, WorldError> {
    let executed = execute()?;
    if executed.trace.has_exit() { execute() } else { Ok(executed) }
}

/// Runs the interaction along a schedule, as closely as the application allows.
pub(crate) fn follow(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    schedule: &Schedule,
) -> Result<Executed, WorldError> {
    without_accident(|| follow_once(world, setup, interaction, schedule))
}

/// Runs the interaction in the only order of this strategy.
pub(crate) fn run_in(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    strategy: impl Strategy<Event> + Clone,
) -> Result<Executed, WorldError> {
    without_accident(|| {
        let mut strategy = strategy.clone();
        strategy.begin();
        let executed = execute(world, setup, interaction, &mut strategy, Faults::none())?;
        strategy.end(None);
        Ok(executed)
    })
}

fn follow_once(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    schedule: &Schedule,
) -> Result<Executed, WorldError> {
    let mut replay = Replay::new(schedule.events.clone());
    replay.begin();
    let executed = execute(world, setup, interaction, &mut replay, Faults::of(&schedule.events))?;
    replay.end(None);
    Ok(Executed { followed: replay.followed().cloned(), ..executed })
}

/// Runs the interaction once, in the order that the strategy chooses, and judges it. A difference counts only if it is
/// still there after settling once more; the second look takes in everything, as evidence. The caller begins and ends
/// the strategy's execution.
pub(crate) fn execute(
    world: &mut dyn World,
    setup: &Setup,
    interaction: &Interaction,
    strategy: &mut dyn Strategy<Event>,
    faults: Faults,
) -> Result<Executed, WorldError> {
    let trace = Trace {
        version: TRACE_VERSION,
        application: setup.application.clone(),
        interaction: interaction.clone(),
        schedule: Schedule::default(),
        messages: BTreeMap::new(),
        judged_by: setup.judged_by.clone(),
        tokens: Vec::new(),
        snapshots: Vec::new(),
        baseline: Vec::new(),
        observations: Vec::new(),
        late_joiners: Vec::new(),
        late_joiner: None,
        known_errors: setup.known_errors.clone(),
        outcome: Outcome::Completed,
    };
    let execution = Execution::default();
    let meter = Meter::default();
    let mut executed = Executed {
        trace,
        judgement: Judgement::Pass,
        execution,
        followed: None,
        abandoned: false,
        meter,
        before: None,
    };
    let performed = baseline(world, &setup.stop, &mut executed.trace)
        .and_then(|()| perform(world, &mut executed, setup, strategy, faults));
    match performed {
        Ok(()) => excuse_what_happens_alone(world, setup, &mut executed)?,
        Err(Halt::Outcome(outcome)) => {
            executed.trace.outcome = outcome;
            executed.judgement = setup.checks.judge(&executed.trace);
        }
        Err(Halt::Error(error)) => return Err(error),
    }
    Ok(executed)
}

/// Judges again without the words that do not stay whole when one client does the same alone, where phase 1 has not told: it was left
/// out, or the interaction is a part of a planned one, or a line.
fn excuse_what_happens_alone(world: &mut dyn World, setup: &Setup, executed: &mut Executed) -> Result<(), WorldError> {
    let is_about_words =
        |check| setup.checks.find(check).is_some_and(|check| check.symptom() == Symptom::WordsMiscounted);
    if executed.judgement.failed().any(|(check, _)| is_about_words(check)) {
        let Trace { interaction, tokens, .. } = &mut executed.trace;
        if setup.alone.excuse(world, &setup.stop, interaction, tokens)? {
            executed.judgement = setup.checks.judge(&executed.trace);
        }
    }
    Ok(())
}

/// What the clients show in the end if those whose actions are neutral do nothing instead; the others act one after the
/// other.
fn baseline(world: &mut dyn World, stop: &StopSignal, trace: &mut Trace) -> Result<(), Halt> {
    let Interaction { prefix, concurrent, rounds } = &trace.interaction;
    if !concurrent.iter().any(|action| action.neutral) {
        return Ok(());
    }
    let mut token_filler = TokenFiller::default();
    begin(world, stop, concurrent.len(), prefix, &mut token_filler, &mut Meter::default())?;
    for _ in 0..*rounds {
        for (client, action) in concurrent.iter().enumerate().filter(|(_, action)| !action.neutral) {
            act(world, ClientId(client), action, &mut token_filler)?;
            quiet(world.settle()?, "after an action")?;
        }
    }
    trace.baseline = world.observe_all(concurrent.len(), ObserveOptions::aspects(&trace.judged_by).and_words(true))?;
    Ok(())
}

/// A fresh document with these clients on it, after the prefix, all carets where A's is.
fn begin(
    world: &mut dyn World,
    stop: &StopSignal,
    clients: usize,
    prefix: &[Action],
    token_filler: &mut TokenFiller,
    meter: &mut Meter,
) -> Result<(), Halt> {
    open(world, stop, clients)?;
    meter.restart(world);
    for action in prefix {
        act(world, ClientId(0), action, token_filler)?;
        quiet(world.settle()?, "after the prefix")?;
        meter.after_prefix(world, action);
    }
    share_caret(world, clients)?;
    meter.restart(world);
    Ok(())
}

/// A fresh document, unless the run has to end.
pub(crate) fn open(world: &mut dyn World, stop: &StopSignal, clients: usize) -> Result<(), Halt> {
    if stop.is_set() {
        return Err(Halt::Error(WorldError::Stopped));
    }
    quiet(world.begin(clients)?, "when the document was opened")
}

fn perform(
    world: &mut dyn World,
    executed: &mut Executed,
    setup: &Setup,
    strategy: &mut dyn Strategy<Event>,
    faults: Faults,
) -> Result<(), Halt> {
    let interaction = executed.trace.interaction.clone();
    let clients = interaction.clients();
    let mut token_filler = TokenFiller::default();
    begin(world, &setup.stop, clients, &interaction.prefix, &mut token_filler, &mut executed.meter)?;
    if setup.notes_changes {
        let wanted = ObserveOptions::aspects(&executed.trace.judged_by);
        executed.before = Some(world.observe(ClientId(0), wanted)?);
    }
    let snapshots = Snapshots::of(&executed.trace, setup.checks);
    let ran = run_concurrent_part(world, executed, &mut token_filler, strategy, (faults, setup.precise), &snapshots);
    // The checks want to know the order, too, and a page that interrupted it is judged by it.
    executed.trace.schedule = Schedule { events: executed.execution.order() };
    executed.trace.tokens = token_filler.tokens;
    setup.alone.tell(&interaction, &mut executed.trace.tokens);
    ran?;
    if executed.abandoned {
        return Ok(());
    }
    let ended_with = executed.execution.moments.last().map(|moment| &moment.taken);
    if ended_with != Some(&Event::Flush) {
        quiet(world.settle()?, "after the concurrent actions")?;
        executed.meter.after_event(world, None);
    }
    let wanted =
        ObserveOptions::aspects(&executed.trace.judged_by).and_words(setup.checks.evidence(&executed.trace).words);
    look(world, executed, setup.checks, clients, wanted)?;
    if let Some(settled) = settle_again(world, setup, executed)? {
        quiet(settled, "after the concurrent actions")?;
        look(world, executed, setup.checks, clients, ObserveOptions::all())?;
    }
    if !setup.late_joiner || !matches!(executed.judgement, Judgement::Pass | Judgement::Fail { .. }) {
        return Ok(());
    }
    // Loading the page once more costs half an execution: the late joiner comes once, after the last look.
    let passed = executed.judgement == Judgement::Pass;
    join_late(world, executed, setup.checks)?;
    if passed && let Some(settled) = settle_after_failure(world, setup, executed)? {
        quiet(settled, "after the concurrent actions")?;
        look(world, executed, setup.checks, clients, ObserveOptions::all())?;
        join_late(world, executed, setup.checks)?;
    }
    Ok(())
}

/// Takes in what the clients show, and judges it.
fn look(
    world: &mut dyn World,
    executed: &mut Executed,
    checks: Checks,
    clients: usize,
    wanted: ObserveOptions,
) -> Result<(), WorldError> {
    let trace = &mut executed.trace;
    trace.observations = world.observe_all(clients, wanted)?;
    trace.late_joiners = world.late_joiners(ObserveOptions::default().and_words(true))?;
    trace.late_joiner = None;
    executed.judgement = checks.judge(trace);
    Ok(())
}

/// A further client opens the document; what it shows is judged with the rest.
fn join_late(world: &mut dyn World, executed: &mut Executed, checks: Checks) -> Result<(), WorldError> {
    executed.trace.late_joiner = world.late_joiner(ObserveOptions::default().and_words(true))?;
    executed.judgement = checks.judge(&executed.trace);
    Ok(())
}

/// Settles once more if the clients have to be looked at again: after a failure, and in an audit.
fn settle_again(world: &mut dyn World, setup: &Setup, executed: &Executed) -> Result<Option<Settled>, WorldError> {
    match (&executed.judgement, setup.long_looks.as_deref()) {
        (Judgement::Pass, Some(looks)) => looks.audit(&setup.application.settle, || world.settle_thoroughly()),
        _ => settle_after_failure(world, setup, executed),
    }
}

/// Settles once more after a failure, the first time of its cause through a long silence.
fn settle_after_failure(
    world: &mut dyn World,
    setup: &Setup,
    executed: &Executed,
) -> Result<Option<Settled>, WorldError> {
    let Judgement::Fail { check, difference, .. } = &executed.judgement else { return Ok(None) };
    let cause = format!("{:?} {check} {}", executed.trace.interaction.concurrent_names(), difference.kind);
    let is_first = setup.long_looks.as_deref().is_some_and(|looks| looks.is_first(cause));
    if is_first { world.settle_thoroughly().map(Some) } else { world.settle().map(Some) }
}

/// How often carets are placed where A's is: one that moves again whenever others are placed is left.
const CARET_ROUNDS: usize = 2;

/// Every client's caret goes where the prefix left A's. A's may have been read before the page was drawn, and be elsewhere afterwards.
fn share_caret(world: &mut dyn World, clients: usize) -> Result<(), Halt> {
    let Some(mut caret) = world.caret(ClientId(0))? else { return Ok(()) };
    for _ in 0..CARET_ROUNDS {
        for client in 1..clients {
            world.place_caret(ClientId(client), &caret)?;
        }
        quiet(world.settle()?, "after the carets were placed")?;
        match world.caret(ClientId(0))? {
            Some(drawn) if drawn != caret => caret = drawn,
            _ => return Ok(()),
        }
    }
    Ok(())
}

/// From here on messages are held, and every event is the strategy's choice, until nothing is left that could happen.
fn run_concurrent_part(
    world: &mut dyn World,
    executed: &mut Executed,
    token_filler: &mut TokenFiller,
    strategy: &mut dyn Strategy<Event>,
    (mut faults, precise): (Faults, bool),
    snapshots: &Snapshots,
) -> Result<(), Halt> {
    world.hold()?;
    let mut commuting = Commuting::begin(world, executed.trace.interaction.clients(), precise)?;
    let interaction = &executed.trace.interaction.clone();
    let mut done = vec![0; interaction.clients()];
    snapshots.begin(world, &mut executed.trace)?;
    loop {
        let (steps, deliverable, of_faults) = (next_steps(interaction, &done), world.deliverable()?, faults.enabled());
        // A page that polls does so for ever: once nothing else is left, the rest is settling's.
        if steps.is_empty() && of_faults.is_empty() && deliverable.iter().all(|event| world.is_poll(event)) {
            executed.execution.complete = true;
            strategy.commuted(&commuting.pairs());
            return Ok(());
        }
        let enabled = [steps, deliverable, of_faults].concat();
        let event = match strategy.choose(&enabled) {
            Choice::Take(index) => match enabled.get(index) {
                Some(event) => event.clone(),
                None => return Ok(()),
            },
            Choice::LetGo => return rest(world, interaction, token_filler, &done, &mut executed.meter),
            Choice::Abandon => {
                executed.abandoned = true;
                return Ok(());
            }
        };
        executed.execution.record(&enabled, &event);
        faults.took(&event);
        let mut performed = None;
        match &event {
            &Event::Step { client, step } => {
                let action = &interaction.concurrent[client.0];
                if let Some(wanted) = interaction.step(client, step) {
                    let filled = token_filler.fill(client, wanted, Part::Concurrent { step });
                    applied(action, step, world.step(client, &filled)?)?;
                    performed = Some(filled);
                }
                done[client.0] += 1;
            }
            Event::Flush => {
                quiet(world.settle()?, "after the concurrent actions")?;
                let to_come = next_steps(interaction, &done).len() + faults.enabled().len();
                if to_come > 0 {
                    world.hold()?;
                }
            }
            other => {
                let at = executed.execution.moments.len() - 1;
                executed.trace.messages.extend(world.waiting_message(other).map(|message| (at, message)));
                world.happen(other)?;
            }
        }
        let stepped = if let Event::Step { client, .. } = &event { Some(client.0) } else { None };
        executed.meter.after_event(world, stepped);
        commuting.after(world, &event, performed.as_ref(), |client| executed.meter.sent_last(client))?;
        let count = executed.execution.moments.len();
        snapshots.after(world, &mut executed.trace, &event, count)?;
    }
}

fn next_steps(interaction: &Interaction, done: &[usize]) -> Vec<Event> {
    let unfinished = |client: &usize| done[*client] < interaction.step_count(ClientId(*client));
    let next = |client| Event::Step { client: ClientId(client), step: done[client] };
    (0..done.len()).filter(unfinished).map(next).collect()
}

/// The strategy has no opinion any more: every client finishes its action; settling delivers the rest.
fn rest(
    world: &mut dyn World,
    interaction: &Interaction,
    token_filler: &mut TokenFiller,
    done: &[usize],
    meter: &mut Meter,
) -> Result<(), Halt> {
    for (index, action) in interaction.concurrent.iter().enumerate() {
        let client = ClientId(index);
        for step in done[index]..interaction.step_count(client) {
            let Some(wanted) = interaction.step(client, step) else { continue };
            let filled = token_filler.fill(client, wanted, Part::Concurrent { step });
            applied(action, step, world.step(client, &filled)?)?;
            meter.after_event(world, Some(index));
        }
    }
    Ok(())
}

/// One client performs a whole action, alone.
pub(crate) fn act(
    world: &mut dyn World,
    client: ClientId,
    action: &Action,
    token_filler: &mut TokenFiller,
) -> Result<(), Halt> {
    for (number, step) in action.steps.iter().enumerate() {
        let filled: Step = token_filler.fill(client, step, Part::Prefix);
        applied(action, number, world.step(client, &filled)?)?;
    }
    Ok(())
}

fn applied(action: &Action, step: usize, outcome: StepOutcome) -> Result<(), Halt> {
    match outcome {
        StepOutcome::Done => Ok(()),
        StepOutcome::NotApplicable(reason) => Err(not_applicable(action, step, reason, false)),
        StepOutcome::Threw(reason) => Err(not_applicable(action, step, reason, true)),
    }
}

fn not_applicable(action: &Action, step: usize, reason: String, threw: bool) -> Halt {
    let (action, step) = (action.name.clone(), Some(step % action.steps.len().max(1)));
    Halt::Outcome(Outcome::NotApplicable(NotApplicable { action, step, reason, threw }))
}

pub(crate) fn quiet(settled: Settled, when: &str) -> Result<(), Halt> {
    match settled {
        Settled::Quiet => Ok(()),
        Settled::Restless(reason) => {
            Err(Halt::Outcome(Outcome::Unknown(format!("the page did not settle {when}: {reason}"))))
        }
    }
}
