//! Phase 2: runs the interactions, each in its orders, until one fails.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use colobus_check::Judgement;
use colobus_model::{ClientId, Event, Interaction, Phase, RunEvent, Schedule, Trace};
use colobus_schedule::orders::{concurrent_orders, orders_around};
use colobus_schedule::{Bounded, Dpor, Exhaustive, InTurn, Limit, Natural, Random, Replay, Strategy, Twice};
use colobus_world::{World, WorldError};

use crate::determinism::{described, digest};
use crate::execute::{Executed, Setup, execute};
use crate::faults::Faults;
use crate::journal::{Entry, Journal, Ran, RanOutcome};
use crate::output::save_trace;
use crate::reduce::group_count;
use crate::workers::{Done, Workers};
use crate::{OrderChoice, Orders, RunConfig, RunError, StopSignal};

/// An interaction with its place in the whole search.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub index: usize,
    pub interaction: Interaction,
}

/// Where the trace of a failing interaction is kept until it is reduced.
pub(crate) fn failure_folder(run: &Path, index: usize) -> std::path::PathBuf {
    run.join("failures").join(index.to_string())
}

/// Runs the candidates that the journal does not have yet and adds them to `ran`.
#[allow(clippy::too_many_arguments)] // each is a different thing, used once
pub(crate) fn search(
    config: &RunConfig,
    setup: &Setup,
    candidates: &[Candidate],
    workers: &Workers,
    journal: &mut Journal,
    run: &Path,
    ran: &mut Vec<Ran>,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Option<String>, RunError> {
    let started = Instant::now();
    let total = candidates.len();
    let left: Vec<&Candidate> =
        candidates.iter().filter(|candidate| ran.iter().all(|done| done.index != candidate.index)).collect();
    let mut stopped = None;
    let work = |world: &mut dyn World, candidate: &&Candidate| {
        let mut trial = InteractionRun::new(world, setup, &candidate.interaction, config.orders.twice, &config.stop);
        let seed = config.seed.rotate_left(32) ^ candidate.index as u64;
        match &config.around {
            Some(around) => trial.run_around(&around.order, config.orders, seed)?,
            None => trial.run(config.orders, seed)?,
        }
        Ok(trial.result())
    };
    workers.run(&left, &config.stop, work, |index, done| {
        let candidate = left[index];
        let result = match done {
            // Some of its orders were not run: whoever continues this run begins with it again.
            Done::Result(None) => return Ok(ControlFlow::Continue(())),
            Done::Result(Some(InteractionResult { outcome, trace, took_ms, nondeterminism, .. })) => {
                if let Some(trace) = trace {
                    save_trace(&failure_folder(run, candidate.index), &trace)?;
                }
                Ran { index: candidate.index, outcome, took_ms, nondeterminism }
            }
            Done::Unknown(reason) => {
                let outcome = RanOutcome::Unknown(reason);
                Ran { index: candidate.index, outcome, took_ms: Vec::new(), nondeterminism: Vec::new() }
            }
        };
        journal.write(&Entry::Ran(result.clone()))?;
        tell(&candidate.interaction, &result.outcome, emit);
        result.nondeterminism.iter().for_each(|note| emit(RunEvent::Note(note.clone())));
        ran.push(result);
        emit(RunEvent::Progress { phase: Phase::Search, done: ran.len(), total });
        stopped = reason_to_stop(config, started, candidates, ran);
        Ok(if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    ran.sort_by_key(|ran| ran.index);
    Ok(stopped.filter(|_| ran.len() < total))
}

/// An execution with more events than this, or than so many for each step, is left to itself: a page that chatters would
/// be scheduled for ever.
const MOST_EVENTS: usize = 200;
const MOST_EVENTS_PER_STEP: usize = 10;

/// Random orders look for bugs that need this many events in a certain order.
const RANDOM_DEPTH: usize = 3;

/// How many events an execution is thought to have before the first one shows it.
const USUAL_EVENTS: usize = 12;

/// One interaction, run in one order after another until one fails.
struct InteractionRun<'a> {
    world: &'a mut dyn World,
    setup: &'a Setup,
    /// The same without a late joiner: opening the page once more costs a third of an execution, once is enough.
    unvisited: Setup,
    interaction: &'a Interaction,
    /// Whether each order is run twice.
    twice: bool,
    stop: &'a StopSignal,
    decided: bool,
    result: InteractionResult,
}

/// What came of it.
struct InteractionResult {
    outcome: RanOutcome,
    trace: Option<Trace>,
    took_ms: Vec<f64>,
    /// Where the same order did not lead to the same twice.
    nondeterminism: Vec<String>,
    /// Whether it is about what users once did: then the first order is theirs.
    around: bool,
}

impl<'a> InteractionRun<'a> {
    fn new(
        world: &'a mut dyn World,
        setup: &'a Setup,
        interaction: &'a Interaction,
        twice: bool,
        stop: &'a StopSignal,
    ) -> InteractionRun<'a> {
        let (took_ms, nondeterminism) = (Vec::new(), Vec::new());
        let result =
            InteractionResult { outcome: RanOutcome::Pass, trace: None, took_ms, nondeterminism, around: false };
        let unvisited = setup.with_late_joiner(false);
        InteractionRun { world, setup, unvisited, interaction, twice, stop, decided: false, result }
    }

    /// Nothing if it was stopped before anything decided: orders that were not run may fail.
    fn result(self) -> Option<InteractionResult> {
        (self.decided || !self.stop.is_set()).then_some(self.result)
    }

    fn run(&mut self, further: Orders, seed: u64) -> Result<(), WorldError> {
        let chosen =
            if further.choice == OrderChoice::Natural { Vec::new() } else { concurrent_orders(self.interaction) };
        if self.is_decided_in(chosen)? || further.limit == 0 {
            return Ok(());
        }
        self.run_further(Vec::new(), further, seed)
    }

    /// First as the steps were once taken, with messages as fast as they can be; then, unless only what is within a bound of
    /// that is asked for, with turns at the same time that were taken one after the other; then by single messages.
    fn run_around(&mut self, recorded: &Schedule, further: Orders, seed: u64) -> Result<(), WorldError> {
        self.result.around = true;
        let mut order = Vec::new();
        let as_recorded = Limit::new(InTurn::along(recorded.events.clone()), 1, self.most_events());
        let most = if further.bound.is_some() { 0 } else { further.limit };
        let together = orders_around(recorded).into_iter().take(most).collect();
        if self.is_decided_along(as_recorded, &Faults::none(), &mut order)? || self.is_decided_in(together)? {
            return Ok(());
        }
        self.run_further(order, further, seed)
    }

    fn is_decided_in(&mut self, schedules: Vec<Schedule>) -> Result<bool, WorldError> {
        for schedule in schedules {
            let faults = Faults::of(&schedule.events);
            if self.is_decided_along(Replay::new(schedule.events), &faults, &mut Vec::new())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Orders of single messages around one, the natural one if it is empty; with faults in it, if they are asked for.
    fn run_further(&mut self, mut undisturbed: Vec<Event>, further: Orders, seed: u64) -> Result<(), WorldError> {
        let plans = if further.faults { Faults::plans(self.interaction.clients()) } else { vec![Faults::none()] };
        // Every plan gets its share, so that the last is not left without any.
        let share = Orders { limit: further.limit.div_ceil(plans.len()), ..further };
        for faults in plans {
            let strategy = strategy(share, faults.placed_in(&undisturbed), self.most_events(), seed);
            if self.is_decided_along(strategy, &faults, &mut undisturbed)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn most_events(&self) -> usize {
        let steps = (0..self.interaction.clients()).map(|client| self.interaction.step_count(ClientId(client)));
        MOST_EVENTS.max(MOST_EVENTS_PER_STEP * steps.sum::<usize>())
    }

    /// Runs the orders of a strategy; true as soon as one decides. The first of all orders is kept in `undisturbed`.
    fn is_decided_along(
        &mut self,
        strategy: impl Strategy<Event>,
        faults: &Faults,
        undisturbed: &mut Vec<Event>,
    ) -> Result<bool, WorldError> {
        if !self.twice {
            return self.is_decided_by_one_of(strategy, faults, undisturbed);
        }
        let mut twice = Twice::new(strategy);
        let decided = self.is_decided_by_one_of(&mut twice, faults, undisturbed);
        self.result
            .nondeterminism
            .extend(twice.nondeterminism().iter().map(|found| described(self.interaction, found)));
        decided
    }

    fn is_decided_by_one_of(
        &mut self,
        mut strategy: impl Strategy<Event>,
        faults: &Faults,
        undisturbed: &mut Vec<Event>,
    ) -> Result<bool, WorldError> {
        while !self.stop.is_set() && strategy.begin() {
            let begun = Instant::now();
            let setup = if self.result.took_ms.is_empty() { self.setup } else { &self.unvisited };
            let executed = execute(self.world, setup, self.interaction, &mut strategy, faults.clone())?;
            strategy.end((!executed.abandoned).then(|| digest(&executed)));
            if undisturbed.is_empty() {
                *undisturbed = executed.execution.order();
            }
            self.decided = self.result.is_decided_by(executed, begun);
            if self.decided {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl InteractionResult {
    /// The first order that fails decides. What could not be judged in one order may still fail in another.
    fn is_decided_by(&mut self, executed: Executed, begun: Instant) -> bool {
        self.took_ms.push(begun.elapsed().as_secs_f64() * 1000.0);
        match executed.judgement {
            Judgement::Pass => false,
            Judgement::Unknown(reason) => {
                self.outcome = RanOutcome::Unknown(reason);
                false
            }
            // What users once did can be done; that it cannot in another order is nothing to search further.
            Judgement::NotApplicable(reason) if self.around => {
                let first = self.took_ms.len() == 1;
                if first {
                    self.outcome = RanOutcome::Unknown(format!("it cannot be done as it was recorded: {reason}"));
                }
                first
            }
            Judgement::NotApplicable(reason) => {
                self.outcome = RanOutcome::NotApplicable(reason);
                true
            }
            Judgement::Fail { check, difference } => {
                let schedule = executed.trace.schedule.clone();
                self.outcome = RanOutcome::Fail { check, difference, schedule };
                self.trace = Some(executed.trace);
                true
            }
        }
    }
}

/// `beginnings` are the orders around which a search goes; without any, the natural one.
fn strategy(orders: Orders, beginnings: Vec<Vec<Event>>, most_events: usize, seed: u64) -> impl Strategy<Event> {
    let chosen: Box<dyn Strategy<Event>> = match (orders.choice, orders.bound) {
        (OrderChoice::Nearest, Some(bound)) => Box::new(Bounded::around(beginnings, bound)),
        (OrderChoice::Nearest, None) => Box::new(Bounded::nearest_first(beginnings)),
        (OrderChoice::Random, _) => Box::new(Random::new(seed, RANDOM_DEPTH, USUAL_EVENTS, orders.limit)),
        (OrderChoice::Dpor, _) => Box::new(Dpor::new()),
        (OrderChoice::Exhaustive, _) => Box::new(Exhaustive::new()),
        (OrderChoice::Natural, _) => Box::new(Natural::repeated(orders.limit)),
    };
    Limit::new(chosen, orders.limit, most_events)
}

fn tell(interaction: &Interaction, outcome: &RanOutcome, emit: &mut dyn FnMut(RunEvent)) {
    let (prefix, concurrent) = (interaction.prefix_names(), interaction.concurrent_names());
    match outcome {
        RanOutcome::Fail { check, difference, .. } => {
            let (check, summary) = (check.clone(), difference.summary.clone());
            emit(RunEvent::Failed { prefix, concurrent, check, summary });
        }
        RanOutcome::Unknown(reason) => {
            emit(RunEvent::Unknown { prefix, concurrent, reason: reason.clone() });
        }
        RanOutcome::Pass | RanOutcome::NotApplicable(_) => {}
    }
}

fn reason_to_stop(config: &RunConfig, started: Instant, candidates: &[Candidate], ran: &[Ran]) -> Option<String> {
    if config.max_findings.is_some_and(|most| group_count(candidates, ran) >= most) {
        return Some("as many root causes were found as --max-findings allows".into());
    }
    if config.timeout.is_some_and(|limit| started.elapsed() >= limit) {
        return Some("the time given by --timeout is over".into());
    }
    None
}
