//! [`Candidate`]: an interaction that phase 2 is going to run, with its place in the whole search. A search may have millions: each is a
//! pair of numbers, and [`Parts`] says of what.

use std::collections::BTreeMap;

use colobus_model::Interaction;
use colobus_pairs::{EffectMap, Kind, Kinds, Sequence, most_different_first};

use crate::RunConfig;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its place among those of all shards.
    index: u32,
    prefix: u32,
    concurrent: u32,
    /// Whether it is one of those after which a further client opens the document in any case.
    pub is_sampled: bool,
}

impl Candidate {
    /// Its place among those of all shards.
    pub fn index(&self) -> usize {
        self.index as usize
    }
}

/// Sequences of actions, each once.
#[derive(Debug, Default)]
struct Numbered {
    all: Vec<Sequence>,
    numbers: BTreeMap<Sequence, u32>,
}

impl Numbered {
    fn number(&mut self, sequence: &[usize]) -> u32 {
        if let Some(known) = self.numbers.get(sequence) {
            return *known;
        }
        let next = self.all.len() as u32;
        self.all.push(sequence.to_vec());
        self.numbers.insert(sequence.to_vec(), next);
        next
    }
}

/// The prefixes of all interactions, and the actions that are performed at the same time.
#[derive(Debug, Default)]
pub(super) struct Parts {
    prefixes: Vec<Sequence>,
    concurrent: Vec<Sequence>,
}

impl Parts {
    /// The numbers of the actions before.
    pub fn prefix(&self, candidate: &Candidate) -> &[usize] {
        &self.prefixes[candidate.prefix as usize]
    }

    /// The numbers of the actions that the clients perform.
    pub fn concurrent(&self, candidate: &Candidate) -> &[usize] {
        &self.concurrent[candidate.concurrent as usize]
    }

    pub fn interaction(&self, config: &RunConfig, candidate: &Candidate) -> Interaction {
        let actions = |numbers: &[usize]| numbers.iter().map(|number| config.action(*number).clone()).collect();
        let (prefix, concurrent) = (actions(self.prefix(candidate)), actions(self.concurrent(candidate)));
        Interaction { prefix, concurrent, rounds: config.rounds }
    }
}

/// Interactions in the order in which a search lists them.
#[derive(Debug, Default)]
pub(super) struct Listed {
    prefixes: Numbered,
    concurrent: Numbered,
    pairs: Vec<(u32, u32)>,
}

impl Listed {
    pub fn add(&mut self, prefix: &[usize], concurrent: &[usize]) {
        self.pairs.push((self.prefixes.number(prefix), self.concurrent.number(concurrent)));
    }

    /// Every combination after every prefix.
    pub fn add_all(&mut self, prefixes: impl Iterator<Item = Sequence>, combinations: &[Sequence]) {
        let combinations: Vec<u32> = combinations.iter().map(|actions| self.concurrent.number(actions)).collect();
        for prefix in prefixes {
            let prefix = self.prefixes.number(&prefix);
            self.pairs.extend(combinations.iter().map(|concurrent| (prefix, *concurrent)));
        }
    }

    /// Actions that lead back have no effect of their own by which they could conflict: in each of these states A tries them
    /// alone, and then while B acts.
    pub fn add_beside_returning(&mut self, config: &RunConfig, sources: impl Iterator<Item = Sequence>) {
        let (ordinary, all) = (config.actions.len(), config.actions.len() + config.returning.len());
        let sources: Vec<Sequence> = sources.collect();
        let alone = (ordinary..all).filter(|number| config.action(*number).neutral).map(|number| vec![number]);
        let beside = (ordinary..all).flat_map(|number| (0..ordinary).map(move |other| vec![number, other]));
        for concurrent in alone.chain(beside) {
            sources.iter().for_each(|prefix| self.add(prefix, &concurrent));
        }
    }

    /// This shard's interactions, the most different ones first. Their order depends on nothing but the list and what phase 1 saw.
    pub fn candidates(self, config: &RunConfig, effects: &EffectMap) -> (Parts, Vec<Candidate>) {
        let Listed { prefixes, concurrent, pairs } = self;
        let parts = Parts { prefixes: prefixes.all, concurrent: concurrent.all };
        let kinds = KindsOfStates::read(config, &parts.prefixes, effects);
        let kinds_of = |(prefix, concurrent): &(u32, u32)| kinds.of(*prefix, &parts.concurrent[*concurrent as usize]);
        let order = most_different_first(pairs.iter().map(kinds_of));
        let mine = |place: &usize| config.shard.is_none_or(|shard| place % shard.of == shard.index);
        let candidate = |(index, number): (usize, u32)| {
            let (prefix, concurrent) = pairs[number as usize];
            Candidate { index: index as u32, prefix, concurrent, is_sampled: false }
        };
        let candidates = order.into_iter().enumerate().filter(|(place, _)| mine(place)).map(candidate).collect();
        (parts, candidates)
    }
}

/// The kinds of all actions in all states, as numbers.
struct KindsOfStates(Vec<KindsOfState>);

struct KindsOfState {
    /// Of the action that led to it.
    last: Option<u32>,
    /// By the number of the action.
    actions: Vec<u32>,
}

impl KindsOfStates {
    fn read(config: &RunConfig, prefixes: &[Sequence], effects: &EffectMap) -> KindsOfStates {
        let mut numbers: BTreeMap<Kind, u32> = BTreeMap::new();
        let mut number = |action: usize, prefix: &[usize]| {
            let next = numbers.len() as u32;
            let kind = Kind::in_state(config.action(action), action, prefix, effects);
            *numbers.entry(kind).or_insert(next)
        };
        let all = config.actions.len() + config.returning.len();
        let mut of_state = |prefix: &Sequence| KindsOfState {
            last: prefix.split_last().map(|(last, before)| number(*last, before)),
            actions: (0..all).map(|action| number(action, prefix)).collect(),
        };
        KindsOfStates(prefixes.iter().map(&mut of_state).collect())
    }

    fn of(&self, prefix: u32, concurrent: &[usize]) -> Kinds<u32> {
        let KindsOfState { last, actions } = &self.0[prefix as usize];
        Kinds { last: *last, concurrent: concurrent.iter().map(|number| actions[*number]).collect() }
    }
}
