//! Phase 1: every sequence of actions with one client, observed after every action.

use std::ops::ControlFlow;

use colobus_driver::{Wanted, World, WorldError};
use colobus_explore::{ActionTree, Node, Sequence};
use colobus_trace::{Action, Outcome, Phase, RunEvent};

use crate::phase1_store::Phase1Store;
use crate::sequence::explore_sequence;
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
    let total = tree.sequences();
    let jobs: Vec<Sequence> = tree.leaves().filter(|leaf| !store.done.contains(leaf)).collect();
    let words = config.actions.iter().any(Action::types_tokens);
    let wanted = Wanted::aspects(&[config.judge.effect, config.judge.equivalence]).and_words(words);
    let work = |world: &mut dyn World, leaf: &Sequence| -> Result<Vec<(Sequence, Node)>, WorldError> {
        let actions: Vec<&Action> = leaf.iter().map(|index| &config.actions[*index]).collect();
        let first = tree.first_seen_from(leaf);
        let seen = explore_sequence(world, &actions, first, wanted)?;
        Ok(seen.into_iter().enumerate().map(|(i, seen)| (leaf[..first + i].to_vec(), node(seen))).collect())
    };
    workers.run(&jobs, &config.stop, work, |index, done| {
        let leaf = &jobs[index];
        let nodes = match done {
            Done::Result(nodes) => nodes,
            Done::Unknown(reason) => {
                vec![(leaf[..tree.first_seen_from(leaf)].to_vec(), Node::Unknown(reason))]
            }
        };
        store.add(leaf, nodes)?;
        emit(RunEvent::Progress { phase: Phase::Explore, done: store.done.len(), total });
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
