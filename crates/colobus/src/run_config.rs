//! Flags and file become one [`RunConfig`]: a flag that was given wins, then the file, then the default.

use anyhow::bail;
use colobus_model::{Action, Application, Aspect};
use colobus_pairs::Extent;
use colobus_run::{Around, Checks, Orders, RunConfig, RunOptions, StopSignal};

use crate::args::{RunArgs, SearchArgs};
use crate::config::{Configuration, Search};
use crate::default_workers::default_workers;

/// Orders per interaction if faults are asked for, or what is near to a recorded order, and nothing says how many.
const DEFAULT_SCHEDULES: usize = 64;

/// What a search covers, with flags and file merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub depth: usize,
    pub clients: usize,
    pub same: bool,
    /// Whether it matters which client performs which action.
    pub apart: bool,
    pub naive: bool,
    /// Whether phase 1 leaves out what follows states that are like one before.
    pub prune: bool,
    pub workers: usize,
}

impl Scope {
    pub fn new(file: &Search, flags: &SearchArgs, application: &Application) -> Scope {
        let clients = flags.clients.unwrap_or(file.clients);
        Scope {
            depth: flags.depth.unwrap_or(file.depth),
            clients,
            apart: application.tells_clients_apart(clients),
            same: flags.same || file.same,
            naive: flags.naive,
            prune: flags.prune || file.prune,
            // Where all runs share one document, only one can be under way.
            workers: if application.has_documents() { flags.workers.unwrap_or_else(default_workers) } else { 1 },
        }
    }

    /// With so many actions, so many that lead back, and so many of those that are also tried alone.
    pub fn extent(&self, actions: usize, returning: usize, alone: usize) -> Extent {
        let Scope { depth, clients, same, apart, naive, prune: _, workers: _ } = *self;
        Extent { actions, returning, alone, depth, clients, same, apart, naive }
    }
}

pub fn run_config(
    mut configuration: Configuration,
    flags: &RunArgs,
    around: Option<Around>,
    stop: StopSignal,
) -> anyhow::Result<RunConfig> {
    configuration.keep_actions(flags.search.set.as_deref(), &flags.search.actions)?;
    let mut scope = Scope::new(&configuration.search, &flags.search, &configuration.application);
    let may_be_many = configuration.application.has_documents();
    if may_be_many
        && flags.search.workers.is_none()
        && let Some(places) = flags.remote.grid.places(&stop)?
    {
        scope.workers = places;
    }
    let mut judge = configuration.judge;
    for choice in &flags.judge {
        choice.apply(&mut judge);
    }
    let (returning, actions) = configuration.actions.into_iter().partition(Action::returns);
    let config = RunConfig {
        title: configuration.title,
        source: configuration.source,
        application: configuration.application,
        actions,
        returning,
        depth: scope.depth,
        clients: scope.clients,
        same: scope.same,
        rounds: flags.search.rounds.unwrap_or(configuration.search.rounds),
        late_joiner: configuration.checks.reload.into(),
        prune: scope.prune,
        // What users did together is searched as it is: phase 1 is not needed.
        naive: scope.naive || around.is_some(),
        judge,
        checks: Checks::default(),
        orders: orders(&configuration.search, flags, around.is_some()),
        around,
        workers: scope.workers,
        shard: flags.shard,
        seed: flags.seed,
        options: RunOptions { max_findings: flags.max_findings, ..flags.results.options(flags.repeat, &stop) },
    };
    refuse_impossible(&config)?;
    Ok(config)
}

/// A bound, a search of all orders, faults alone or a recorded order ask for orders as well: as many as there are, or a
/// handful. The natural order is one.
fn orders(file: &Search, flags: &RunArgs, around: bool) -> Orders {
    let faults = flags.fault_kinds().unwrap_or_else(|| file.faults.kinds());
    let limit = match (flags.schedules.or(file.schedules), flags.bound, flags.strategy.strategy().usual_limit) {
        (Some(limit), _, _) => limit,
        (None, Some(_), _) => usize::MAX,
        (None, None, Some(usual)) => usual,
        (None, None, None) if !faults.is_empty() || around => DEFAULT_SCHEDULES,
        (None, None, None) => 0,
    };
    Orders { limit, bound: flags.bound, faults, twice: flags.twice, precise: flags.precise, choice: flags.strategy }
}

/// What can only be seen once flags and file are together.
fn refuse_impossible(config: &RunConfig) -> anyhow::Result<()> {
    let (actions, clients) = (config.actions.len(), config.clients);
    if !config.same && actions < clients && config.returning.is_empty() {
        bail!(
            "{clients} clients cannot perform different actions at the same time: there are only {actions}\n  \
             add actions, or let clients perform the same one with --same"
        );
    }
    let judge = &config.judge;
    let judges_state =
        [judge.effect, judge.equivalence].contains(&Aspect::State) || judge.convergence.contains(&Aspect::State);
    if judges_state && config.application.state.is_none() {
        bail!(
            "nothing says how to read the application's state\n  \
             add `state` to [app] of the configuration, or judge on pixels or dom"
        );
    }
    Ok(())
}
