//! [`EffectMap`]: an exploration, understood. Which source states are equivalent, and what each action changes in them.

use std::collections::{BTreeMap, BTreeSet};

use colobus_compare::{Changed, CompareError, Reference};
use colobus_model::{Aspect, Rectangle};

use crate::{ActionTree, Exploration, Sequence};

/// Effects and equivalence classes of an exploration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectMap {
    /// What the last action of a sequence changed.
    effects: BTreeMap<Sequence, Changed>,
    /// Source states in canonical order, each with its class.
    classes: Vec<(Sequence, usize)>,
}

/// Actions whose effects overlap in the state after a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conflict<'a> {
    pub prefix: &'a [usize],
    /// One per client.
    pub actions: &'a [usize],
}

impl EffectMap {
    pub fn read(
        tree: &ActionTree,
        exploration: &Exploration,
        effect: Aspect,
        equivalence: Aspect,
        ignored: &[Rectangle],
    ) -> Result<EffectMap, CompareError> {
        let mut effect_map = EffectMap::default();
        let mut representatives: Vec<Reference> = Vec::new();
        for source in tree.sources() {
            let Some(before) = exploration.observation(&source) else { continue };
            let here = Reference::new(before, equivalence)?;
            let known = representatives.iter().position(|class| class.equals(&here, ignored));
            let class = known.unwrap_or_else(|| {
                representatives.push(here.clone());
                representatives.len() - 1
            });
            let before = if effect == equivalence { here } else { Reference::new(before, effect)? };
            for action in 0..tree.actions {
                let sequence = [&source[..], &[action]].concat();
                if let Some(after) = exploration.observation(&sequence) {
                    effect_map.effects.insert(sequence, before.changed(after, ignored)?);
                }
            }
            effect_map.classes.push((source, class));
        }
        Ok(effect_map)
    }

    pub fn source_states(&self) -> usize {
        self.classes.len()
    }

    /// The first state of every class of equivalent ones.
    pub fn representatives(&self) -> impl Iterator<Item = Sequence> {
        let mut seen = BTreeSet::new();
        self.classes.iter().filter(move |(_, class)| seen.insert(*class)).map(|(state, _)| state.clone())
    }

    pub fn equivalence_classes(&self) -> usize {
        self.classes.iter().map(|(_, class)| class + 1).max().unwrap_or(0)
    }

    /// The combinations whose effects overlap pairwise, each once per class of equivalent states: in the first state in
    /// which they do.
    pub fn conflicts<'a>(&'a self, combinations: &'a [Vec<usize>]) -> Vec<Conflict<'a>> {
        let mut accepted = BTreeSet::new();
        let mut conflicts = Vec::new();
        for (prefix, class) in &self.classes {
            for (number, actions) in combinations.iter().enumerate() {
                if self.overlap(prefix, actions) && accepted.insert((*class, number)) {
                    conflicts.push(Conflict { prefix, actions });
                }
            }
        }
        conflicts
    }

    /// What an action changes in the state after a prefix, if phase 1 saw both.
    pub fn effect(&self, prefix: &[usize], action: usize) -> Option<&Changed> {
        self.effects.get(&[prefix, &[action]].concat())
    }

    fn overlap(&self, prefix: &[usize], actions: &[usize]) -> bool {
        let effects: Option<Vec<&Changed>> = actions.iter().map(|action| self.effect(prefix, *action)).collect();
        let Some(effects) = effects else { return false };
        effects.iter().enumerate().all(|(i, one)| effects[..i].iter().all(|other| one.overlaps(other)))
    }
}
