//! [`most_different_first`]: the order in which interactions are run, so that a search that is stopped early has seen as many
//! kinds of them as it could. Made from what phase 1 saw; consumed by the search for concurrent actions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::Kind;

/// An interaction, as far as its place in the order depends on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kinds {
    /// What happened before, the last action at the end.
    pub prefix: Vec<Kind>,
    /// What the clients do at the same time, in any order.
    pub concurrent: Vec<Kind>,
}

/// The numbers of all interactions of a plan, each once. Combinations of kinds that act at the same time take turns: one
/// interaction of each comes before the second of any. Of what is left in a turn, the interaction goes first that shows the most
/// that is new: a kind, or a kind after another, and among equals the one that stands first in the plan.
///
/// Takes n log n steps: what is new about an interaction only becomes less, so that an estimate that is out of date is too
/// high, and is looked at again before it counts.
pub fn most_different_first(plan: &[Kinds]) -> Vec<usize> {
    let (traits, mut combinations) = read(plan);
    let mut seen = Seen::default();
    let mut order = Vec::with_capacity(plan.len());
    while !combinations.is_empty() {
        let promises = combinations.iter().enumerate().filter_map(|(at, combination)| Some((combination.peek()?, at)));
        let mut turn: BinaryHeap<(Promise, usize)> = promises.collect();
        while let Some((promised, at)) = turn.pop() {
            match combinations[at].refreshed(&seen, &traits) {
                Some(now) if now == promised => {
                    let interaction = now.interaction.0;
                    combinations[at].0.pop();
                    seen.add(&traits[interaction]);
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

/// What can be new about an interaction, as numbers: kinds, and kinds after others.
type Traits = Vec<usize>;

#[derive(Default)]
struct Seen(BTreeSet<usize>);

impl Seen {
    fn add(&mut self, traits: &Traits) {
        self.0.extend(traits);
    }

    fn new_of(&self, traits: &Traits) -> usize {
        traits.iter().filter(|number| !self.0.contains(number)).count()
    }
}

/// What an interaction shows that is new, or was when it was last looked at. The greatest goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Promise {
    new: usize,
    interaction: Reverse<usize>,
}

/// The interactions of one combination of kinds that are still to come.
#[derive(Default)]
struct Combination(BinaryHeap<Promise>);

impl Combination {
    fn peek(&self) -> Option<Promise> {
        self.0.peek().copied()
    }

    /// The newest of them, by what has been seen meanwhile.
    fn refreshed(&mut self, seen: &Seen, traits: &[Traits]) -> Option<Promise> {
        loop {
            let promised = self.0.pop()?;
            let now = Promise { new: seen.new_of(&traits[promised.interaction.0]), ..promised };
            self.0.push(now);
            if now == promised {
                return Some(now);
            }
        }
    }
}

/// The traits of every interaction, and the interactions by combination, in the order in which these first stand in the plan.
fn read(plan: &[Kinds]) -> (Vec<Traits>, Vec<Combination>) {
    let mut kind_numbers: BTreeMap<&Kind, usize> = BTreeMap::new();
    let mut trait_numbers: BTreeMap<(Option<usize>, usize), usize> = BTreeMap::new();
    let mut places: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let (mut all, mut combinations): (Vec<Traits>, Vec<Combination>) = (Vec::new(), Vec::new());
    for (number, Kinds { prefix, concurrent }) in plan.iter().enumerate() {
        let mut numbered = |kind| {
            let next = kind_numbers.len();
            *kind_numbers.entry(kind).or_insert(next)
        };
        let last = prefix.last().map(&mut numbered);
        let mut together: Vec<usize> = concurrent.iter().map(numbered).collect();
        together.sort_unstable();
        let shown = together.iter().flat_map(|kind| [(None, *kind), (last, *kind)]);
        let mut traits: Traits = shown
            .map(|shown| {
                let next = trait_numbers.len();
                *trait_numbers.entry(shown).or_insert(next)
            })
            .collect();
        traits.sort_unstable();
        traits.dedup();
        let at = *places.entry(together).or_insert_with(|| {
            combinations.push(Combination::default());
            combinations.len() - 1
        });
        combinations[at].0.push(Promise { new: traits.len(), interaction: Reverse(number) });
        all.push(traits);
    }
    (all, combinations)
}
