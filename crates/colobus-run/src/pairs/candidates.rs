//! [`Candidate`]: an interaction that phase 2 is going to run, with its place in the whole search.

use colobus_model::Interaction;
use colobus_pairs::{EffectMap, Kind, Kinds, Sequence, most_different_first};

use crate::RunConfig;

#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its place among those of all shards.
    pub index: usize,
    pub interaction: Interaction,
}

/// This shard's interactions, from prefixes and the actions that are performed at the same time; the most different ones first. It
/// depends on nothing but the plan and what phase 1 saw.
pub(super) fn candidates(config: &RunConfig, all: &[(Sequence, Sequence)], effects: &EffectMap) -> Vec<Candidate> {
    let actions = |indices: &[usize]| indices.iter().map(|i| config.action(*i).clone()).collect();
    let mine = |place: &usize| config.shard.is_none_or(|shard| place % shard.of == shard.index);
    let kinds: Vec<Kinds> = all.iter().map(|(prefix, concurrent)| kinds(config, prefix, concurrent, effects)).collect();
    most_different_first(&kinds)
        .into_iter()
        .enumerate()
        .filter(|(place, _)| mine(place))
        .map(|(index, number)| {
            let (prefix, concurrent) = &all[number];
            let (prefix, concurrent) = (actions(prefix), actions(concurrent));
            Candidate { index, interaction: Interaction { prefix, concurrent, rounds: config.rounds } }
        })
        .collect()
}

fn kinds(config: &RunConfig, prefix: &[usize], concurrent: &[usize], effects: &EffectMap) -> Kinds {
    let before =
        |(place, number): (usize, &usize)| Kind::in_state(config.action(*number), *number, &prefix[..place], effects);
    let together = |number: &usize| Kind::in_state(config.action(*number), *number, prefix, effects);
    Kinds {
        prefix: prefix.iter().enumerate().map(before).collect(),
        concurrent: concurrent.iter().map(together).collect(),
    }
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
