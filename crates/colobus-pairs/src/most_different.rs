//! [`most_different_first`]: the order in which interactions are run, so that a search that is stopped early has seen as many
//! kinds of them as it could. Made from what phase 1 saw; consumed by the search for concurrent actions.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::Kind;

/// An interaction, as far as its place in the order depends on it. Kinds may stand for themselves or be numbered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kinds<K = Kind> {
    /// The last action before, if there was one.
    pub last: Option<K>,
    /// What the clients do at the same time, in any order.
    pub concurrent: Vec<K>,
}

/// The numbers of all interactions of a plan, each once. Combinations of kinds that act at the same time take turns: one
/// interaction of each comes before the second of any. Of what is left in a turn, the interaction goes first that shows the most
/// that is new: a kind, or a kind after another, and among equals the one that stands first in the plan.
///
/// Takes n log n steps: what is new about an interaction only becomes less, so that an estimate that is out of date is too
/// high, and is looked at again before it counts. The plan is read once and not kept: some ten bytes are, for each of its interactions.
pub fn most_different_first<K: Ord + Clone>(plan: impl IntoIterator<Item: Borrow<Kinds<K>>>) -> Vec<u32> {
    let Read { traits, mut combinations } = Read::plan(plan);
    let mut seen = Seen(vec![false; traits.distinct()]);
    let mut order = Vec::with_capacity(traits.ends.len());
    while !combinations.is_empty() {
        let promises = combinations.iter().enumerate().filter_map(|(at, combination)| Some((combination.peek()?, at)));
        let mut turn: BinaryHeap<(Promise, usize)> = promises.collect();
        while let Some((promised, at)) = turn.pop() {
            match combinations[at].refreshed(&seen, &traits) {
                Some(now) if now == promised => {
                    let interaction = now.interaction.0;
                    combinations[at].0.pop();
                    seen.add(traits.of(interaction));
                    order.push(interaction);
                }
                Some(now) => turn.push((now, at)),
                None => {}
            }
        }
        combinations.retain(|combination| combination.peek().is_some());
    }
    order
}

/// What can be new about each interaction, as numbers: kinds, and kinds after others.
#[derive(Default)]
struct Traits {
    /// Those of all interactions, one after the other.
    numbers: Vec<u32>,
    /// Where those of each interaction end.
    ends: Vec<usize>,
}

impl Traits {
    fn of(&self, interaction: u32) -> &[u32] {
        let interaction = interaction as usize;
        let begin = interaction.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[begin..self.ends[interaction]]
    }

    fn add(&mut self, traits: &[u32]) {
        self.numbers.extend_from_slice(traits);
        self.ends.push(self.numbers.len());
    }

    fn distinct(&self) -> usize {
        self.numbers.iter().max().map_or(0, |largest| *largest as usize + 1)
    }
}

/// Which traits were shown.
struct Seen(Vec<bool>);

impl Seen {
    fn add(&mut self, traits: &[u32]) {
        traits.iter().for_each(|number| self.0[*number as usize] = true);
    }

    fn new_of(&self, traits: &[u32]) -> u32 {
        traits.iter().map(|number| u32::from(!self.0[*number as usize])).sum()
    }
}

/// What an interaction shows that is new, or was when it was last looked at. The greatest goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    new: u32,
    interaction: Reverse<u32>,
}

/// The interactions of one combination of kinds that are still to come.
#[derive(Default)]
struct Combination(BinaryHeap<Promise>);

impl Combination {
    fn peek(&self) -> Option<Promise> {
        self.0.peek().copied()
    }

    /// The newest of them, by what has been seen meanwhile.
    fn refreshed(&mut self, seen: &Seen, traits: &Traits) -> Option<Promise> {
        loop {
            let promised = self.0.pop()?;
            let now = Promise { new: seen.new_of(traits.of(promised.interaction.0)), ..promised };
            self.0.push(now);
            if now == promised {
                return Some(now);
            }
        }
    }
}

/// The traits of every interaction, and the interactions by combination, in the order in which these first stand in the plan.
struct Read {
    traits: Traits,
    combinations: Vec<Combination>,
}

impl Read {
    fn plan<K: Ord + Clone>(plan: impl IntoIterator<Item: Borrow<Kinds<K>>>) -> Read {
        let mut kind_numbers: BTreeMap<K, u32> = BTreeMap::new();
        let mut trait_numbers: BTreeMap<(Option<u32>, u32), u32> = BTreeMap::new();
        let mut places: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut read = Read { traits: Traits::default(), combinations: Vec::new() };
        for (number, kinds) in (0..).zip(plan) {
            let Kinds { last, concurrent } = kinds.borrow();
            let mut numbered = |kind: &K| match kind_numbers.get(kind) {
                Some(known) => *known,
                None => next_number(&mut kind_numbers, kind.clone()),
            };
            let last = last.as_ref().map(&mut numbered);
            let mut together: Vec<u32> = concurrent.iter().map(numbered).collect();
            together.sort_unstable();
            let shown = together.iter().flat_map(|kind| [(None, *kind), (last, *kind)]);
            let mut traits: Vec<u32> = shown.map(|shown| next_number(&mut trait_numbers, shown)).collect();
            traits.sort_unstable();
            traits.dedup();
            let at = *places.entry(together).or_insert_with(|| {
                read.combinations.push(Combination::default());
                read.combinations.len() - 1
            });
            let promise = Promise { new: traits.len() as u32, interaction: Reverse(number) };
            read.combinations[at].0.push(promise);
            read.traits.add(&traits);
        }
        read
    }
}

/// The number of something; the next one if it has none yet.
fn next_number<T: Ord>(numbers: &mut BTreeMap<T, u32>, of: T) -> u32 {
    let next = numbers.len() as u32;
    *numbers.entry(of).or_insert(next)
}
