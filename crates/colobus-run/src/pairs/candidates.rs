//! [`Candidate`]: an interaction that phase 2 is going to run, with its place in the whole search.

use colobus_model::Interaction;
use colobus_pairs::Sequence;

use crate::RunConfig;

#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its place among those of all shards.
    pub index: usize,
    pub interaction: Interaction,
}

/// This shard's interactions, from prefixes and the actions that are performed at the same time.
pub(super) fn candidates(config: &RunConfig, all: Vec<(Sequence, Sequence)>) -> Vec<Candidate> {
    let actions = |indices: &[usize]| indices.iter().map(|i| config.action(*i).clone()).collect();
    let mine = |index: &usize| config.shard.is_none_or(|shard| index % shard.of == shard.index);
    all.iter()
        .enumerate()
        .filter(|(index, _)| mine(index))
        .map(|(index, (prefix, concurrent))| Candidate {
            index,
            interaction: Interaction {
                prefix: actions(prefix),
                concurrent: actions(concurrent),
                rounds: config.rounds,
            },
        })
        .collect()
}

/// Actions that lead back have no effect of their own by which they could conflict: in each of these states A tries them
/// alone, and then while B acts.
pub(super) fn beside_returning(
    config: &RunConfig,
    sources: impl Iterator<Item = Sequence>,
) -> Vec<(Sequence, Sequence)> {
    let (ordinary, all) = (config.actions.len(), config.actions.len() + config.returning.len());
    let sources: Vec<Sequence> = sources.collect();
    let alone = (ordinary..all).filter(|number| config.action(*number).neutral).map(|number| vec![number]);
    let beside = (ordinary..all).flat_map(|number| (0..ordinary).map(move |other| vec![number, other]));
    let concurrent = alone.chain(beside);
    concurrent.flat_map(|actions| sources.iter().map(move |prefix| (prefix.clone(), actions.clone()))).collect()
}
