//! Phase 1: every sequence of actions with one client, observed after every action.

use std::ops::ControlFlow;

use colobus_model::{Action, Outcome, Phase, RunEvent};
use colobus_pairs::{ActionTree, Distinct, Node, Sequence};
use colobus_world::{ObserveOptions, World, WorldError};

use crate::phase1_store::Phase1Store;
use crate::sequence::{Look, explore_sequence};
use crate::workers::{Done, Workers};
use crate::{RunConfig, RunError};

/// Phase 1 of one run. It runs the sequences that the store does not have yet.
pub(crate) struct Explorer<'r> {
    pub config: &'r RunConfig,
    pub tree: &'r ActionTree,
    pub workers: &'r Workers<'r>,
    pub store: &'r mut Phase1Store,
    pub emit: &'r mut dyn FnMut(RunEvent),
}

impl Explorer<'_> {
    pub fn explore(&mut self) -> Result<(), RunError> {
        if self.config.prune { self.explore_distinct() } else { self.explore_all() }
    }

    fn explore_all(&mut self) -> Result<(), RunError> {
        let (config, tree) = (self.config, self.tree);
        let words = config.actions.iter().any(Action::types_tokens);
        let wanted = ObserveOptions::aspects(&[config.judge.effect, config.judge.equivalence]).and_words(words);
        let job = |leaf: Sequence| Job { seen_from: tree.first_seen_from(&leaf), sequence: leaf };
        let look = Look { wanted, caret: false };
        self.run(tree.leaves().map(job).collect(), look)
    }

    /// One length of sequences after the other: what comes after a state that was seen before is left out.
    fn explore_distinct(&mut self) -> Result<(), RunError> {
        let (config, tree) = (self.config, self.tree);
        let ignored = config.application.ignored_rectangles();
        let (mut distinct, mut sources) = (Distinct::default(), vec![Sequence::new()]);
        for length in 1..=tree.depth {
            let longer = |source: &Sequence| {
                (0..tree.actions).map(|action| [&source[..], &[action]].concat()).collect::<Vec<_>>()
            };
            let sequences: Vec<Sequence> = sources.iter().flat_map(longer).collect();
            // The empty document is seen on the way to the first state.
            let job = |sequence: &Sequence| Job {
                seen_from: if *sequence == [0] { 0 } else { length },
                sequence: sequence.clone(),
            };
            let look = Look { wanted: ObserveOptions::all(), caret: true };
            self.run(sequences.iter().map(job).collect(), look)?;
            if config.stop.is_set() {
                break;
            }
            if let Some(empty) = self.store.exploration.observation(&[]).filter(|_| length == 1) {
                distinct.is_new(empty, &ignored)?;
            }
            sources.clear();
            for sequence in sequences {
                if let Some(state) = self.store.exploration.observation(&sequence)
                    && distinct.is_new(state, &ignored)?
                {
                    sources.push(sequence);
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, jobs: Vec<Job>, look: Look) -> Result<(), RunError> {
        let Explorer { config, tree, workers, ref mut store, ref mut emit } = *self;
        let total = tree.sequences();
        let jobs: Vec<Job> = jobs.into_iter().filter(|job| !store.done.contains(&job.sequence)).collect();
        let work = |world: &mut dyn World, job: &Job| -> Result<Vec<(Sequence, Node)>, WorldError> {
            let actions: Vec<&Action> = job.sequence.iter().map(|index| &config.actions[*index]).collect();
            let seen = explore_sequence(world, &actions, job.seen_from, look)?;
            let place = |i: usize| job.sequence[..job.seen_from + i].to_vec();
            Ok(seen.into_iter().enumerate().map(|(i, seen)| (place(i), node(seen))).collect())
        };
        workers.run(&jobs, &config.stop, work, |index, done| {
            let Job { sequence, seen_from } = &jobs[index];
            let nodes = match done {
                Done::Result(nodes) => nodes,
                Done::Unknown(reason) => vec![(sequence[..*seen_from].to_vec(), Node::Unknown(reason))],
            };
            store.add(sequence, nodes)?;
            emit(RunEvent::Progress { phase: Phase::Explore, done: store.done.len().min(total), total });
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// A sequence to run, and the length from which on its states are looked at.
struct Job {
    sequence: Sequence,
    seen_from: usize,
}

fn node(seen: Result<colobus_model::Observation, Outcome>) -> Node {
    match seen {
        Ok(observation) => Node::Seen(observation),
        Err(Outcome::NotApplicable(reason)) => Node::NotApplicable(reason),
        Err(Outcome::Unknown(reason)) => Node::Unknown(reason),
        Err(Outcome::Completed) => Node::Unknown("the sequence ended early without a reason".into()),
    }
}
