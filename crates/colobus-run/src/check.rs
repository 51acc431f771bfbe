//! [`check`]: a whole search, from the configuration to the report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use colobus_model::{
    Counts, Finding, Interaction, Phase, Plan, Report, Reset, RootCause, RunEvent, Timing, UnknownInteraction,
};
use colobus_pairs::{ActionTree, EffectMap, Exploration, Node, SearchSize, Sequence, combinations};
use colobus_world::WorldFactory;

use crate::execute::Setup;
use crate::explore::Explorer;
use crate::journal::{Entry, Journal, Ran, RanOutcome, can_continue, runs};
use crate::output::{create_run_folder, point_last_at};
use crate::phase1_store::Phase1Store;
use crate::reduce::reduce;
use crate::search::{Candidate, search};
use crate::search_key::{Executor, phase1_key, search_key};
use crate::solo_outcomes::SoloOutcomes;
use crate::workers::Workers;
use crate::{RunConfig, RunError};

/// What a run with this configuration is going to do.
pub fn plan(config: &RunConfig) -> Plan {
    let SearchSize { sequences, source_states, naive, .. } = config.size();
    Plan {
        application: config.title.clone(),
        configuration: config.source.clone(),
        actions: config.actions.iter().map(|action| action.name.clone()).collect(),
        depth: config.depth,
        clients: config.clients,
        workers: usable_workers(config),
        seed: config.seed,
        sequences,
        source_states,
        naive,
    }
}

/// Searches the application. Every result is on disk before it is told.
pub fn check(
    config: &RunConfig,
    factory: &dyn WorldFactory,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<Report, RunError> {
    let (begun, size) = (Instant::now(), config.size());
    if !size.can_be_planned() {
        let (actions, depth) = (config.actions.len(), config.depth);
        let SearchSize { sequences, interactions, .. } = size;
        return Err(RunError::TooLarge { actions, depth, sequences, interactions });
    }
    let fingerprint = factory.fingerprint()?;
    let executor = Executor::new(factory.browser(), fingerprint);
    let search_key = search_key(config, &executor)?;
    let run = run_folder(config, &search_key, emit)?;
    point_last_at(&config.out, &run);
    emit(RunEvent::Started { plan: plan(config), output: run.clone() });
    let mut journal = Journal::open(&run)?;
    if journal.earlier.is_empty() {
        journal.write(&Entry::Began { key: search_key })?;
    }
    let workers = Workers::new(factory, usable_workers(config));
    emit(RunEvent::Ready { browser: factory.browser(), took: begun.elapsed() });

    let mut search = Search { config, workers, journal, run, timing: Timing::default(), counts: Counts::default() };
    let known = search.first_phase(&executor, emit)?;
    let (ran, stopped) = search.second_phase(&known, emit)?;
    let findings = search.findings(&known, &ran, emit)?;
    search.finish(factory, known, ran, findings, stopped, emit)
}

/// Where all runs share one document, only one can be under way.
fn usable_workers(config: &RunConfig) -> usize {
    if config.application.reset == Reset::FreshDocument { config.workers } else { 1 }
}

fn tree(config: &RunConfig) -> ActionTree {
    ActionTree { actions: config.actions.len(), depth: config.depth }
}

fn run_folder(config: &RunConfig, key: &str, emit: &mut dyn FnMut(RunEvent)) -> Result<PathBuf, RunError> {
    if config.resume {
        if let Some(run) = runs(&config.out).into_iter().find(|run| can_continue(run, key)) {
            return Ok(run);
        }
        emit(RunEvent::Note(
            "no interrupted run of this very search to resume (same configuration, application and browser): starting a new one"
                .into(),
        ));
    }
    create_run_folder(&config.out)
}

/// A search under way.
struct Search<'a> {
    config: &'a RunConfig,
    workers: Workers<'a>,
    journal: Journal,
    run: PathBuf,
    timing: Timing,
    counts: Counts,
}

/// What the first phase told the second.
struct PhaseOneResult {
    candidates: Vec<Candidate>,
    setup: Setup,
}

const STOPPED: &str = "it was interrupted";

impl Search<'_> {
    fn first_phase(&mut self, executor: &Executor, emit: &mut dyn FnMut(RunEvent)) -> Result<PhaseOneResult, RunError> {
        let config = self.config;
        let (tree, tuples) = (tree(config), combinations(config.actions.len(), config.clients, config.same));
        self.counts.naive = config.size().naive;
        let mut setup = Setup {
            application: config.application.clone(),
            judged_by: config.judge.convergence.clone(),
            known_errors: Vec::new(),
            alone: Arc::default(),
            late_joiner: config.reload,
        };
        if config.naive {
            self.counts.source_states = tree.source_states();
            let all =
                tree.sources().flat_map(|prefix| tuples.iter().map(move |actions| (prefix.clone(), actions.clone())));
            let beside = beside_returning(config, tree.sources());
            let candidates = self.candidates(all.chain(beside).collect());
            return Ok(PhaseOneResult { candidates, setup });
        }
        let begun = Instant::now();
        emit(RunEvent::PhaseStarted { phase: Phase::Explore, total: tree.sequences() });
        let mut store = Phase1Store::open(&config.out, &phase1_key(config, executor)?)?;
        self.timing.phase1_reused = store.done.len() == tree.sequences();
        Explorer { config, tree: &tree, workers: &self.workers, store: &mut store, emit }.explore()?;
        let (effect, equivalence) = (config.judge.effect, config.judge.equivalence);
        let ignored = config.application.ignored_rectangles();
        let effect_map = EffectMap::read(&tree, &store.exploration, effect, equivalence, &ignored)?;
        setup.known_errors = store.exploration.errors().into_iter().collect();
        setup.alone = Arc::new(SoloOutcomes::read(&tree, &store.exploration, &config.actions));
        let conflicts = effect_map.conflicts(&tuples);
        self.counts.sequences = complete_sequences(&tree, &store.exploration);
        self.counts.source_states = effect_map.source_states();
        self.counts.equivalence_classes = effect_map.equivalence_classes();
        self.counts.potential_conflicts = conflicts.len();
        self.remember_phase1(begun, emit)?;
        let conflicts = conflicts.into_iter().map(|c| (c.prefix, c.actions));
        let beside = beside_returning(config, effect_map.representatives());
        let candidates = self.candidates(conflicts.chain(beside).collect());
        Ok(PhaseOneResult { candidates, setup })
    }

    /// A run that continues another keeps the time its first phase really took.
    fn remember_phase1(&mut self, begun: Instant, emit: &mut dyn FnMut(RunEvent)) -> Result<(), RunError> {
        let earlier = self.journal.earlier.iter().find_map(|entry| match entry {
            Entry::Explored { seconds, reused } => Some((*seconds, *reused)),
            _ => None,
        });
        self.timing.phase1_s = begun.elapsed().as_secs_f64();
        match earlier {
            Some((seconds, reused)) => (self.timing.phase1_s, self.timing.phase1_reused) = (seconds, reused),
            None if self.config.stop.is_set() => {}
            None => {
                let (seconds, reused) = (self.timing.phase1_s, self.timing.phase1_reused);
                self.journal.write(&Entry::Explored { seconds, reused })?;
            }
        }
        emit(RunEvent::PhaseFinished { phase: Phase::Explore, took: begun.elapsed() });
        Ok(())
    }

    /// This shard's interactions, with their places in the whole search.
    fn candidates(&self, all: Vec<(Vec<usize>, Vec<usize>)>) -> Vec<Candidate> {
        let actions = |indices: &[usize]| indices.iter().map(|i| self.config.action(*i).clone()).collect();
        let mine = |index: &usize| self.config.shard.is_none_or(|shard| index % shard.of == shard.index);
        all.iter()
            .enumerate()
            .filter(|(index, _)| mine(index))
            .map(|(index, (prefix, concurrent))| Candidate {
                index,
                interaction: Interaction {
                    prefix: actions(prefix),
                    concurrent: actions(concurrent),
                    rounds: self.config.rounds,
                },
            })
            .collect()
    }

    fn second_phase(
        &mut self,
        known: &PhaseOneResult,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<(Vec<Ran>, Option<String>), RunError> {
        let mut ran: Vec<Ran> = Vec::new();
        if self.config.stop.is_set() {
            return Ok((ran, Some(STOPPED.into())));
        }
        for entry in &self.journal.earlier {
            if let Entry::Ran(done) = entry {
                ran.push(done.clone());
            }
        }
        let (begun, total) = (Instant::now(), known.candidates.len());
        emit(RunEvent::PhaseStarted { phase: Phase::Search, total });
        let (config, setup, run) = (self.config, &known.setup, &self.run);
        let stopped = search(config, setup, &known.candidates, &self.workers, &mut self.journal, run, &mut ran, emit)?;
        self.timing.phase2_s = begun.elapsed().as_secs_f64();
        emit(RunEvent::PhaseFinished { phase: Phase::Search, took: begun.elapsed() });
        let stopped = if config.stop.is_set() { Some(STOPPED.into()) } else { stopped };
        Ok((ran, stopped))
    }

    fn findings(
        &mut self,
        known: &PhaseOneResult,
        ran: &[Ran],
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<Vec<Finding>, RunError> {
        let begun = Instant::now();
        let (config, setup, run) = (self.config, &known.setup, &self.run);
        let findings = reduce(config, setup, &known.candidates, ran, &self.workers, &mut self.journal, run, emit)?;
        self.timing.reduce_s = begun.elapsed().as_secs_f64();
        emit(RunEvent::PhaseFinished { phase: Phase::Reduce, took: begun.elapsed() });
        Ok(findings)
    }

    fn finish(
        mut self,
        factory: &dyn WorldFactory,
        known: PhaseOneResult,
        ran: Vec<Ran>,
        mut findings: Vec<Finding>,
        stopped: Option<String>,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<Report, RunError> {
        // A stop may have come during the reduction, after the search itself was complete.
        let stopped = stopped.or_else(|| self.config.stop.is_set().then(|| STOPPED.to_string()));
        let root_causes = RootCause::group(&mut findings);
        let outcomes = |wanted: fn(&RanOutcome) -> bool| ran.iter().filter(|ran| wanted(&ran.outcome)).count();
        self.counts = Counts {
            interactions: ran.len(),
            executions: ran.iter().map(|ran| ran.took_ms.len()).sum(),
            failures: outcomes(|outcome| matches!(outcome, RanOutcome::Fail { .. })),
            not_applicable: outcomes(|outcome| matches!(outcome, RanOutcome::NotApplicable(_))),
            unknown: outcomes(|outcome| matches!(outcome, RanOutcome::Unknown(_))),
            findings: findings.len(),
            root_causes: root_causes.len(),
            restarts: self.workers.restarts(),
            ..self.counts
        };
        self.timing.interaction_ms_median = median(ran.iter().flat_map(|ran| ran.took_ms.clone()).collect());
        let report = Report {
            version: 1,
            application: self.config.title.clone(),
            configuration: self.config.source.clone(),
            recording: None,
            around: self.config.around.as_ref().map(|around| around.source.clone()),
            browser: factory.browser(),
            seed: self.config.seed,
            depth: self.config.depth,
            clients: self.config.clients,
            shard: self.config.shard.map(|shard| (shard.index + 1, shard.of)),
            stopped,
            actions: self.config.actions.iter().map(|action| action.name.clone()).collect(),
            counts: self.counts,
            timing: self.timing,
            findings,
            root_causes,
            unknown: unknown(&known.candidates, &ran),
            notes: factory.notes().into_iter().chain(ran.iter().flat_map(|ran| ran.nondeterminism.clone())).collect(),
        };
        if !self.config.stop.is_set() {
            self.journal.write(&Entry::Finished)?;
        }
        emit(RunEvent::Finished { report: Box::new(report.clone()), output: self.run });
        Ok(report)
    }
}

/// Actions that lead back have no effect of their own by which they could conflict: in each of these states A tries them
/// alone, and then while B acts.
fn beside_returning(config: &RunConfig, sources: impl Iterator<Item = Sequence>) -> Vec<(Sequence, Sequence)> {
    let (ordinary, all) = (config.actions.len(), config.actions.len() + config.returning.len());
    let sources: Vec<Sequence> = sources.collect();
    let alone = (ordinary..all).filter(|number| config.action(*number).neutral).map(|number| vec![number]);
    let beside = (ordinary..all).flat_map(|number| (0..ordinary).map(move |other| vec![number, other]));
    let concurrent = alone.chain(beside);
    concurrent.flat_map(|actions| sources.iter().map(move |prefix| (prefix.clone(), actions.clone()))).collect()
}

fn complete_sequences(tree: &ActionTree, exploration: &Exploration) -> usize {
    tree.leaves().filter(|leaf| matches!(exploration.node(leaf), Some(Node::Seen(_)))).count()
}

fn unknown(candidates: &[Candidate], ran: &[Ran]) -> Vec<UnknownInteraction> {
    let by_index: BTreeMap<usize, &Candidate> = candidates.iter().map(|c| (c.index, c)).collect();
    let entry = |ran: &Ran| match &ran.outcome {
        RanOutcome::Unknown(reason) => by_index.get(&ran.index).map(|candidate| UnknownInteraction {
            prefix: candidate.interaction.prefix_names(),
            concurrent: candidate.interaction.concurrent_names(),
            reason: reason.clone(),
        }),
        _ => None,
    };
    ran.iter().filter_map(entry).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
