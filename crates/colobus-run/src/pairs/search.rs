//! [`PairSearch`]: what the run loop asks of a search for concurrent actions that go wrong.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use colobus_model::{
    Action, ActionGap, BrowserPlace, Case, Counts, Phase, Report, RunEvent, Searched, Trace, UnknownCase,
};
use colobus_pairs::{ActionTree, EffectMap, combinations};
use colobus_world::{World, WorldError, WorldFactory, is_exit};
use serde_json::Value;

use super::candidates::{Candidate, Listed, Parts};
use super::exercised::ExerciseCounts;
use super::interaction_run::InteractionRun;
use super::late_joins::LateJoins;
use super::passes::{Ended, Passes};
use super::phase1::{Explored, Explorer, PhaseOne};
use super::phase1_store::Phase1Store;
use super::solo_outcomes::SoloOutcomes;
use crate::causes::{Diagnosis, diagnose};
use crate::execute::{LongLooks, Setup, follow};
use crate::learned::{LearnedFile, save_learned};
use crate::output::{TRACE_FILE, load_trace, save_trace};
use crate::reduce::{as_seen, reduce};
use crate::search_key::{Executor, phase1_key};
use crate::workers::Workers;
use crate::{
    Cause, Diagnosed, Ending, Executed, Failure, FindingTraffic, LateJoinerChoice, Reduced, RunConfig, RunError,
    Search, SeenFailure, StopSignal,
};

pub(crate) struct PairSearch<'a> {
    config: &'a RunConfig,
    /// Knows what its worlds have learned of the application, and which scripts threw.
    factory: &'a dyn WorldFactory,
    learned: LearnedFile,
    passes: Passes,
    browser: String,
    setup: Setup,
    long_looks: Arc<LongLooks>,
    late_joins: LateJoins,
    /// Until the loop has asked for them.
    candidates: Vec<Candidate>,
    /// Whether the loop has the sample after which a further client opens the document.
    has_sample: bool,
    parts: Parts,
    counts: Counts,
    /// Why phase 1 ended before all of it was run, if so.
    early_end: Option<String>,
    /// What phase 1 could not do, and could not say.
    gaps: Vec<ActionGap>,
    unknown: Vec<UnknownCase>,
    /// Names of the actions that were performed.
    applied: BTreeSet<String>,
    /// Names of the actions that were tried: of others it cannot be said that they can be performed nowhere.
    attempted: BTreeSet<String>,
    exercised: ExerciseCounts,
}

impl<'a> PairSearch<'a> {
    /// Runs phase 1, unless it is left out. Also says whether it came from an earlier run.
    pub fn prepare(
        config: &'a RunConfig,
        (factory, folder): (&'a dyn WorldFactory, &Path),
        executor: &Executor,
        workers: &Workers<dyn World>,
        emit: &mut dyn FnMut(RunEvent),
    ) -> Result<(PairSearch<'a>, bool), RunError> {
        let setup = Setup {
            application: config.application.clone(),
            judged_by: config.judge.convergence.clone(),
            checks: config.checks,
            known_errors: Vec::new(),
            alone: Arc::default(),
            late_joiner: config.late_joiner != LateJoinerChoice::Never,
            long_looks: None,
            precise: false,
            notes_changes: false,
            stop: config.options.stop.clone(),
        };
        let counts = Counts { naive: config.size().naive, ..Counts::default() };
        let mut search = PairSearch {
            config,
            factory,
            learned: LearnedFile::recall(folder, factory, emit),
            passes: Passes::default(),
            browser: executor.browser().to_string(),
            setup,
            long_looks: Arc::default(),
            late_joins: LateJoins::new(config.late_joiner, config.checks),
            candidates: Vec::new(),
            has_sample: false,
            parts: Parts::default(),
            counts,
            early_end: None,
            gaps: Vec::new(),
            unknown: Vec::new(),
            applied: BTreeSet::new(),
            attempted: BTreeSet::new(),
            exercised: ExerciseCounts::default(),
        };
        let tree = ActionTree { actions: config.actions.len(), depth: config.depth };
        if config.naive {
            search.take_everything(&tree);
            return Ok((search, false));
        }
        let begun = Instant::now();
        emit(RunEvent::PhaseStarted { phase: Phase::Explore, total: tree.sequences() });
        let mut store = Phase1Store::open(&config.options.out, &phase1_key(config, executor)?)?;
        let reused = store.done.len() == tree.sequences();
        let Explored { planned, early_end } =
            Explorer { config, tree: &tree, workers, store: &mut store, emit }.explore()?;
        search.early_end = early_end;
        search.take_conflicts(&tree, &PhaseOne { planned, exploration: store.exploration })?;
        for UnknownCase { case, reason } in search.unknown.clone() {
            emit(RunEvent::Unknown { case, reason });
        }
        emit(RunEvent::PhaseFinished { phase: Phase::Explore, took: begun.elapsed() });
        Ok((search, reused))
    }

    /// Why phase 1 ended before all of it was run, if so: what it saw until then is known.
    pub fn take_early_end(&mut self) -> Option<String> {
        self.early_end.take()
    }

    /// Every combination in every state.
    fn take_everything(&mut self, tree: &ActionTree) {
        let config = self.config;
        let tuples = combinations(config.actions.len(), config.clients, config.same, config.tells_clients_apart());
        self.counts.source_states = tree.source_states();
        let mut listed = Listed::default();
        listed.add_all(tree.sources(), &tuples);
        listed.add_beside_returning(config, tree.sources());
        (self.parts, self.candidates) = listed.candidates(config, &EffectMap::default());
    }

    /// What can conflict, by what phase 1 saw.
    fn take_conflicts(&mut self, tree: &ActionTree, seen: &PhaseOne) -> Result<(), RunError> {
        let config = self.config;
        let tuples = combinations(config.actions.len(), config.clients, config.same, config.tells_clients_apart());
        let (effect, equivalence) = (config.judge.effect, config.judge.equivalence);
        let ignored = config.application.ignored_rectangles();
        let effect_map = EffectMap::read(tree, &seen.exploration, effect, equivalence, &ignored)?;
        self.setup.known_errors = seen.exploration.errors().into_iter().collect();
        self.setup.alone = Arc::new(SoloOutcomes::read(tree, &seen.exploration, &config.actions));
        let conflicts = effect_map.conflicts(&tuples);
        self.counts.sequences = seen.tally();
        self.counts.source_states = effect_map.source_states();
        self.counts.equivalence_classes = effect_map.equivalence_classes();
        self.counts.potential_conflicts = conflicts.len();
        self.gaps = seen.gaps();
        self.unknown = seen.unknown(&config.actions);
        self.applied.extend(seen.applied(&config.actions));
        self.attempted.extend(seen.attempted(&config.actions));
        self.exercised = ExerciseCounts::of_phase_one(seen, &config.actions);
        let mut listed = Listed::default();
        conflicts.iter().for_each(|conflict| listed.add(conflict.prefix, conflict.actions));
        listed.add_beside_returning(config, effect_map.representatives());
        // What phase 1 cannot look at behind the end of the application is judged like an interaction, of one user.
        let exits = seen.exploration.unknown().filter(|(_, reason)| is_exit(reason));
        for (last, before) in exits.filter_map(|(sequence, _)| sequence.split_last()) {
            listed.add(before, &[*last]);
        }
        (self.parts, self.candidates) = listed.candidates(config, &effect_map);
        Ok(())
    }

    /// The actions before those that are performed at the same time, and those.
    fn actions(&self, candidate: &Candidate) -> (impl Iterator<Item = &Action>, impl Iterator<Item = &Action>) {
        let action = |number: &usize| self.config.action(*number);
        let (prefix, concurrent) = (self.parts.prefix(candidate), self.parts.concurrent(candidate));
        (prefix.iter().map(action), concurrent.iter().map(action))
    }
}

impl Search for PairSearch<'_> {
    type World = dyn World;
    type Job = Candidate;
    type Evidence = Trace;

    const EVIDENCE_FILE: &'static str = TRACE_FILE;

    fn next(&mut self) -> Vec<Candidate> {
        match std::mem::replace(&mut self.has_sample, true) {
            false => self.late_joins.take_sample(&mut self.candidates, &self.parts),
            true => std::mem::take(&mut self.candidates),
        }
    }

    fn waiting(&self) -> usize {
        self.candidates.len()
    }

    fn case(&self, candidate: &Candidate) -> Case {
        let interaction = self.parts.interaction(self.config, candidate);
        Case::Interaction { prefix: interaction.prefix_names(), concurrent: interaction.concurrent_names() }
    }

    /// In steps of users: browsers take about as long for each.
    fn length(&self, candidate: &Candidate) -> usize {
        let (prefix, concurrent) = self.actions(candidate);
        prefix.chain(concurrent).map(|action| action.steps.len()).sum()
    }

    fn execute(
        &self,
        world: &mut Self::World,
        candidate: &Candidate,
        stop: &StopSignal,
    ) -> Result<Executed<Trace>, WorldError> {
        let config = self.config;
        let (before, audits) = (self.factory.learned(), self.long_looks.audits());
        self.passes.begin(candidate.index());
        self.long_looks.know(&before);
        let setup = Setup {
            late_joiner: self.late_joins.has(candidate),
            long_looks: Some(self.long_looks.clone()),
            precise: config.orders.precise,
            notes_changes: config.naive,
            ..self.setup.clone()
        };
        let seed = config.seed.rotate_left(32) ^ candidate.index() as u64;
        let interaction = self.parts.interaction(config, candidate);
        let mut execute = || {
            let mut run = InteractionRun::new(world, &setup, &interaction, config.orders.twice, stop);
            match &config.around {
                Some(around) => run.run_around(&around.order, config.orders, seed)?,
                None => run.run(config.orders, seed)?,
            }
            run.result()
        };
        let mut result = execute()?;
        if result.evidence.as_ref().is_some_and(Trace::has_exit) {
            // An accident is over when the interaction is repeated; what it does to the application happens again.
            result = execute()?;
        }
        let (passed, audited) = (result.ending == Ending::Passed, self.long_looks.audits() > audits);
        let after = self.factory.learned();
        self.passes.end(candidate.index(), &Ended { passed, audited, before: &before, after: &after });
        self.learned.keep(after);
        Ok(result)
    }

    fn is_doubted(&self, candidate: &Candidate) -> bool {
        self.passes.is_doubted(candidate.index(), &self.factory.learned())
    }

    fn learn(&mut self, candidate: &Candidate, ending: &Ending, feedback: &Value) -> Result<(), serde_json::Error> {
        let (prefix, concurrent) = self.actions(candidate);
        let names: Vec<String> = prefix.chain(concurrent).map(|action| action.name.clone()).collect();
        if matches!(ending, Ending::Passed | Ending::Failed(_)) {
            self.applied.extend(names.iter().cloned());
        }
        self.attempted.extend(names);
        self.late_joins.learn(candidate, ending);
        self.exercised.add(feedback)
    }

    fn diagnose(
        &self,
        world: &mut Self::World,
        candidate: &Candidate,
        trace: &Trace,
        failure: &Failure,
    ) -> Result<Diagnosed<Trace>, WorldError> {
        let (name, stable) = match diagnose(world, &self.setup, trace, failure)? {
            Diagnosis::Cause { name, stable } => (name, stable),
            Diagnosis::Personal(places) => return Ok(Diagnosed::Personal(places)),
        };
        let (prefix, concurrent) = (self.parts.prefix(candidate), self.parts.concurrent(candidate));
        // A client more weighs less than an action of the prefix.
        let cause = Cause { name, size: prefix.len() * 100 + concurrent.len() };
        Ok(Diagnosed::Failure { cause, stable: stable.map(|stable| *stable) })
    }

    /// The same actions at the same time, after a part of the prefix. What should change nothing is wrong whatever it was tried
    /// beside.
    fn explains(&self, found: &Candidate, candidate: &Candidate, failure: &Failure) -> bool {
        let check = self.setup.checks.find(&failure.check);
        let matters = |action: &&Action| check.is_none_or(|check| check.concerns(action));
        let ((mut shorter, found), (mut longer, candidate)) = (self.actions(found), self.actions(candidate));
        let mut is_longer = || shorter.all(|action| longer.any(|other| other == action));
        found.filter(matters).eq(candidate.filter(matters)) && is_longer()
    }

    fn reduce(
        &self,
        world: &mut Self::World,
        _: &Candidate,
        seen: SeenFailure<Trace>,
    ) -> Result<Reduced<Trace>, WorldError> {
        reduce(world, &self.setup, seen)
    }

    /// `colobus check` records when the search is over, in browsers with a tap: worlds have none.
    fn record(&self, _: &mut Self::World, _: &Candidate, _: &Reduced<Trace>) -> Result<FindingTraffic, WorldError> {
        Ok(FindingTraffic::NotHere)
    }

    fn comes_back(
        &self,
        world: &mut Self::World,
        _: &Candidate,
        trace: &Trace,
        _: &Failure,
    ) -> Result<bool, WorldError> {
        let recorded = self.setup.checks.judge(trace);
        let executed = follow(world, &self.setup, &trace.interaction, &trace.schedule)?;
        Ok(self.setup.checks.fail_alike(&executed.judgement, &recorded))
    }

    fn browser(&self, world: &Self::World) -> BrowserPlace {
        world.browser()
    }

    fn searched(&self, _: &Candidate, trace: &Trace) -> Searched {
        as_seen(trace)
    }

    fn save(&self, trace: &Trace, folder: &Path) -> Result<(), RunError> {
        save_trace(folder, trace)?;
        save_learned(folder, &self.factory.learned())
    }

    fn restore(&self, _: &Candidate, folder: &Path) -> Result<Trace, RunError> {
        load_trace(folder)
    }

    fn report(&self) -> Report {
        let config = self.config;
        let actions = || config.actions.iter().chain(&config.returning);
        let names = || actions().map(|action| action.name.clone());
        Report {
            application: config.title.clone(),
            configuration: config.source.clone(),
            around: config.around.as_ref().map(|around| around.source.clone()),
            browser: self.browser.clone(),
            seed: config.seed,
            depth: config.depth,
            clients: config.clients,
            shard: config.shard.map(|shard| (shard.index + 1, shard.of)),
            actions: config.actions.iter().map(|action| action.name.clone()).collect(),
            counts: self.counts.clone(),
            unknown: self.unknown.clone(),
            not_applicable: self.gaps.clone(),
            exercised: Some(self.exercised.report(actions(), &config.application)),
            script_errors: self.factory.script_errors(),
            never_applied: names()
                .filter(|name| self.attempted.contains(name) && !self.applied.contains(name))
                .collect(),
            notes: self.late_joins.note().into_iter().collect(),
            ..Report::default()
        }
    }
}
