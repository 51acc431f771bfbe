//! [`InteractionRun`]: one interaction, run in one order after another until one fails. Orders that are equivalent to one that
//! passed are left out.

use std::time::Instant;

use colobus_check::Judgement;
use colobus_model::{ClientId, Event, Interaction, Schedule, Trace};
use colobus_schedule::orders::{concurrent_orders, orders_around, stale_poll_orders};
use colobus_schedule::{InTurn, Limit, Replay, Strategy, Twice};
use colobus_world::{World, WorldError};

use super::passed_orders::PassedOrders;
use crate::execute::{self, Exercise, Faults, Setup, described, digest, execute};
use crate::{Ending, Executed, Failure, Orders, StopSignal, StrategyOptions, feedback_of};

/// An execution with more events than this, or than so many for each step, is left to itself: a page that chatters would
/// be scheduled for ever.
const MOST_EVENTS: usize = 200;
const MOST_EVENTS_PER_STEP: usize = 10;

/// One interaction, run in one order after another until one fails.
pub(super) struct InteractionRun<'a> {
    world: &'a mut dyn World,
    setup: &'a Setup,
    /// The same without a late joiner: opening the page once more costs a third of an execution, once is enough.
    unvisited: Setup,
    interaction: &'a Interaction,
    /// Whether each order is run twice.
    twice: bool,
    stop: &'a StopSignal,
    decided: bool,
    /// Whether an order has passed.
    passed: bool,
    /// Whether it is about what users once did: then the first order is theirs.
    around: bool,
    passed_orders: PassedOrders,
    exercise: Exercise,
    result: Executed<Trace>,
}

impl<'a> InteractionRun<'a> {
    pub fn new(
        world: &'a mut dyn World,
        setup: &'a Setup,
        interaction: &'a Interaction,
        twice: bool,
        stop: &'a StopSignal,
    ) -> InteractionRun<'a> {
        let (unvisited, result) = (setup.with_late_joiner(false), Executed::new(Ending::Passed));
        let exercise = Exercise::default();
        InteractionRun {
            world,
            setup,
            unvisited,
            interaction,
            twice,
            stop,
            decided: false,
            passed: false,
            around: false,
            passed_orders: PassedOrders::default(),
            exercise,
            result,
        }
    }

    /// None if it was stopped before anything decided: orders that were not run may fail.
    pub fn result(self) -> Result<Executed<Trace>, WorldError> {
        if !self.decided && self.stop.is_set() {
            return Err(WorldError::Stopped);
        }
        let feedback = feedback_of(&self.exercise)?;
        Ok(Executed { feedback, ..self.result })
    }

    pub fn run(&mut self, further: Orders, seed: u64) -> Result<(), WorldError> {
        let asks = further.choice.strategy().follows_concurrent_orders;
        let first = if asks { concurrent_orders(self.interaction) } else { Vec::new() };
        if self.is_decided_in(first)? || (asks && self.is_decided_by_late_polls()?) || further.limit == 0 {
            return Ok(());
        }
        self.run_further(Vec::new(), further, seed)
    }

    /// First as the steps were once taken, with messages as fast as they can be; then, unless only what is within a bound of
    /// that is asked for, with turns at the same time that were taken one after the other; then by single messages.
    pub fn run_around(&mut self, recorded: &Schedule, further: Orders, seed: u64) -> Result<(), WorldError> {
        self.around = true;
        let mut order = Vec::new();
        let as_recorded = Limit::new(InTurn::along(recorded.events.clone()), 1, self.most_events());
        let most = if further.bound.is_some() { 0 } else { further.limit };
        let together = orders_around(recorded).into_iter().take(most).collect();
        if self.is_decided_along(as_recorded, &Faults::none(), &mut order)? || self.is_decided_in(together)? {
            return Ok(());
        }
        self.run_further(order, further, seed)
    }

    /// Runs the orders in which answers to polls come late, if pages poll: that is known after the first orders at the latest.
    fn is_decided_by_late_polls(&mut self) -> Result<bool, WorldError> {
        let orders = if self.world.polls() { stale_poll_orders(self.interaction) } else { Vec::new() };
        self.is_decided_in(orders)
    }

    fn is_decided_in(&mut self, schedules: Vec<Schedule>) -> Result<bool, WorldError> {
        for schedule in schedules {
            if self.passed_orders.has_equivalent_of(&schedule) {
                self.exercise.equivalent += 1;
                continue;
            }
            let faults = Faults::of(&schedule.events);
            if self.is_decided_along(Replay::new(schedule.events), &faults, &mut Vec::new())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Orders of single messages around one, the natural one if it is empty; with faults in it, if they are asked for.
    fn run_further(&mut self, mut without_fault: Vec<Event>, further: Orders, seed: u64) -> Result<(), WorldError> {
        let plans = Faults::plans(self.interaction.clients(), further.faults);
        // Every plan gets its share, so that the last is not left without any.
        let share = Orders { limit: further.limit.div_ceil(plans.len()), ..further };
        for faults in plans {
            let options = StrategyOptions { orders: share, beginnings: faults.placed_in(&without_fault), seed };
            let chosen = (share.choice.strategy().make)(options);
            let strategy = Limit::new(chosen, share.limit, self.most_events());
            if self.is_decided_along(strategy, &faults, &mut without_fault)? {
                return Ok(());
            }
        }
        Ok(())
    }

    fn most_events(&self) -> usize {
        let steps = (0..self.interaction.clients()).map(|client| self.interaction.step_count(ClientId(client)));
        MOST_EVENTS.max(MOST_EVENTS_PER_STEP * steps.sum::<usize>())
    }

    /// Runs the orders of a strategy; true as soon as one decides. The first of all orders is kept in `without_fault`.
    fn is_decided_along(
        &mut self,
        strategy: impl Strategy<Event>,
        faults: &Faults,
        without_fault: &mut Vec<Event>,
    ) -> Result<bool, WorldError> {
        if !self.twice {
            return self.is_decided_by_one_of(strategy, faults, without_fault);
        }
        let mut twice = Twice::new(strategy);
        let decided = self.is_decided_by_one_of(&mut twice, faults, without_fault);
        self.result.notes.extend(twice.nondeterminism().iter().map(|found| described(self.interaction, found)));
        decided
    }

    fn is_decided_by_one_of(
        &mut self,
        mut strategy: impl Strategy<Event>,
        faults: &Faults,
        without_fault: &mut Vec<Event>,
    ) -> Result<bool, WorldError> {
        while !self.stop.is_set() && strategy.begin() {
            let begun = Instant::now();
            let setup = if self.result.took_ms.is_empty() { self.setup } else { &self.unvisited };
            let executed = execute(self.world, setup, self.interaction, &mut strategy, faults.clone())?;
            strategy.end((!executed.abandoned).then(|| digest(&executed)));
            self.exercise.add(executed.exercise());
            if without_fault.is_empty() {
                *without_fault = executed.execution.order();
            }
            // Orders around a recording deliver messages before all steps are taken: the first tells too little of these.
            if executed.judgement == Judgement::Pass && !self.around {
                self.passed_orders.add(executed.execution.order(), || executed.silent_steps());
            }
            self.decided = self.is_decided_by(executed, begun);
            if self.decided {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first order that fails decides. What could not be judged in one order may still fail in another.
    fn is_decided_by(&mut self, executed: execute::Executed, begun: Instant) -> bool {
        let result = &mut self.result;
        result.took_ms.push(begun.elapsed().as_secs_f64() * 1000.0);
        match executed.judgement {
            Judgement::Pass => {
                self.passed = true;
                false
            }
            // It can be done, though not in every order: what one user sees of the other may take the step away.
            Judgement::NotApplicable(_) if self.passed => false,
            Judgement::Unknown(reason) => {
                result.ending = Ending::Unknown(reason);
                false
            }
            // What users once did can be done; that it cannot in another order is nothing to search further.
            Judgement::NotApplicable(reason) if self.around => {
                let first = result.took_ms.len() == 1;
                if first {
                    result.ending = Ending::Unknown(format!("it cannot be done as it was recorded: {reason}"));
                }
                first
            }
            Judgement::NotApplicable(found) => {
                result.ending = Ending::NotApplicable(found);
                true
            }
            Judgement::Fail { check, difference, also } => {
                result.ending = Ending::Failed(Failure { check, difference, also });
                result.evidence = Some(executed.trace);
                true
            }
        }
    }
}
