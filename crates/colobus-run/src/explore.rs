//! Phase 1: every sequence of actions with one client, observed after every action.

use std::ops::ControlFlow;

use colobus_driver::{Wanted, World, WorldError};
use colobus_explore::{ActionTree, Distinct, Node, Sequence};
use colobus_trace::{Action, Outcome, Phase, RunEvent};

use crate::phase1_store::Phase1Store;
use crate::sequence::{Look, explore_sequence};
use crate::workers::{Done, Workers};
use crate::{RunConfig, RunError};

/// Runs the sequences that the store does not have yet.
pub(crate) fn explore(
    config: &RunConfig,
    tree: &ActionTree,
    workers: &Workers,
    store: &mut Phase1Store,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<(), RunError> {
    if config.prune {
        return explore_distinct(config, tree, workers, store, emit);
    }
    let words = config.actions.iter().any(Action::types_tokens);
    let wanted = Wanted::aspects(&[config.judge.effect, config.judge.equivalence]).and_words(words);
    let job = |leaf: Sequence| Job { seen_from: tree.first_seen_from(&leaf), sequence: leaf };
    let look = Look { wanted, caret: false };
    run_all(config, tree, tree.leaves().map(job).collect(), look, workers, store, emit)
}

/// One length of sequences after the other: what comes after a state that was seen before is left out.
fn explore_distinct(
    config: &RunConfig,
    tree: &ActionTree,
    workers: &Workers,
    store: &mut Phase1Store,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<(), RunError> {
    let ignored = config.application.ignored_rectangles();
    let (mut distinct, mut sources) = (Distinct::default(), vec![Sequence::new()]);
    for length in 1..=tree.depth {
        let longer =
            |source: &Sequence| (0..tree.actions).map(|action| [&source[..], &[action]].concat()).collect::<Vec<_>>();
        let sequences: Vec<Sequence> = sources.iter().flat_map(longer).collect();
        // The empty document is seen on the way to the first state.
        let job = |sequence: &Sequence| Job {
            seen_from: if *sequence == [0] { 0 } else { length },
            sequence: sequence.clone(),
        };
        let look = Look { wanted: Wanted::all(), caret: true };
        run_all(config, tree, sequences.iter().map(job).collect(), look, workers, store, emit)?;
        if config.stop.is_set() {
            break;
        }
        if let Some(empty) = store.exploration.observation(&[]).filter(|_| length == 1) {
            distinct.is_new(empty, &ignored)?;
        }
        sources.clear();
        for sequence in sequences {
            if let Some(state) = store.exploration.observation(&sequence)
                && distinct.is_new(state, &ignored)?
            {
                sources.push(sequence);
            }
        }
    }
    Ok(())
}

/// A sequence to run, and the length from which on its states are looked at.
struct Job {
    sequence: Sequence,
    seen_from: usize,
}

fn run_all(
    config: &RunConfig,
    tree: &ActionTree,
    jobs: Vec<Job>,
    look: Look,
    workers: &Workers,
    store: &mut Phase1Store,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<(), RunError> {
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

fn node(seen: Result<colobus_trace::Observation, Outcome>) -> Node {
    match seen {
        Ok(observation) => Node::Seen(observation),
        Err(Outcome::NotApplicable(reason)) => Node::NotApplicable(reason),
        Err(Outcome::Unknown(reason)) => Node::Unknown(reason),
        Err(Outcome::Completed) => Node::Unknown("the sequence ended early without a reason".into()),
    }
}
