//! [`check`]: the search for actions that go wrong when several clients perform them at the same time. Phase 1 runs every
//! sequence of actions with one client; what conflicts there is run by all of them, as jobs of the run loop.

mod candidates;
mod exercised;
mod interaction_run;
mod late_joins;
mod passed_orders;
mod passes;
mod phase1;
mod phase1_store;
mod search;
mod sequence;
mod solo_outcomes;

use std::time::Instant;

use colobus_model::{Plan, PlannedSearch, Report, RunEvent};
use colobus_pairs::SearchSize;
use colobus_world::{World, WorldFactory};

use crate::search_key::{Executor, search_key};
use crate::workers::Workers;
use crate::{Emit, Run, RunConfig, RunError};
use search::PairSearch;
pub(crate) use solo_outcomes::SoloOutcomes;

/// What a run with this configuration is going to do.
pub fn plan(config: &RunConfig) -> Plan {
    let SearchSize { sequences, source_states, naive, .. } = config.size();
    Plan {
        application: config.title.clone(),
        configuration: config.source.clone(),
        workers: usable_workers(config),
        seed: config.seed,
        search: PlannedSearch::Interactions {
            actions: config.actions.iter().map(|action| action.name.clone()).collect(),
            depth: config.depth,
            clients: config.clients,
            sequences,
            source_states,
            naive,
        },
    }
}

/// Searches the application. Every result is on disk before it is told.
pub fn check(
    config: &RunConfig,
    factory: &dyn WorldFactory,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Report, RunError> {
    let begun = Instant::now();
    refuse_too_large(config)?;
    let executor = Executor::new(factory.browser(), factory.fingerprint()?);
    let mut run = Run::start(config.options.clone(), &search_key(config, &executor)?, plan(config), emit)?;
    let open = || factory.open();
    let workers: Workers<dyn World> = Workers::new(&open, usable_workers(config));
    emit(RunEvent::Ready { browser: factory.browser(), took: begun.elapsed() });
    let folder = run.folder().to_path_buf();
    let prepare = |emit: &mut Emit| PairSearch::prepare(config, (factory, &folder), &executor, &workers, emit);
    let mut search = run.prepare(prepare, emit)?;
    if let Some(reason) = search.take_early_end() {
        run.end_early(reason);
    }
    run.search(&mut search, &workers, &|| factory.notes(), emit)
}

/// Where all runs share one document, only one can be under way.
fn usable_workers(config: &RunConfig) -> usize {
    if config.application.has_documents() { config.workers } else { 1 }
}

fn refuse_too_large(config: &RunConfig) -> Result<(), RunError> {
    let size = config.size();
    if size.can_be_planned() {
        return Ok(());
    }
    let SearchSize { sequences, interactions, .. } = size;
    Err(RunError::TooLarge { actions: config.actions.len(), depth: config.depth, sequences, interactions })
}
