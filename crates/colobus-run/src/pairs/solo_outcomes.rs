//! [`SoloOutcomes`]: what becomes of the words that one client types when it acts alone. Read from phase 1, consumed by every
//! execution, whose tokens it completes for the check `conservation`. What phase 1 has not run is run when words are missed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use colobus_check::TextContent;
use colobus_model::{Action, ClientId, Interaction, Observation, Part, Step, Token, token_word};
use colobus_pairs::{ActionTree, Exploration};
use colobus_world::{ObserveOptions, World, WorldError};

use super::sequence::{Look, explore_sequence};
use crate::StopSignal;

/// For sequences of actions of one client, by their names: which of the words it typed are whole in the end, by their numbers.
type Outcomes = BTreeMap<Vec<String>, BTreeSet<usize>>;

#[derive(Debug, Default)]
pub(crate) struct SoloOutcomes {
    /// What phase 1 saw.
    whole: Outcomes,
    /// What was tried since.
    tried: Mutex<Outcomes>,
    /// What an earlier execution of the same interaction was told, by word.
    recorded: BTreeMap<String, Option<bool>>,
}

impl SoloOutcomes {
    /// Reads what phase 1 saw.
    pub fn read(tree: &ActionTree, exploration: &Exploration, actions: &[Action]) -> SoloOutcomes {
        let mut alone = SoloOutcomes::default();
        if !actions.iter().any(Action::types_tokens) {
            return alone;
        }
        for sequence in tree.sources().chain(tree.leaves()) {
            let performed: Vec<&Action> = sequence.iter().map(|index| &actions[*index]).collect();
            if let Some(whole) = exploration.observation(&sequence).and_then(|seen| whole_words(&performed, seen)) {
                alone.whole.insert(names_of(&performed), whole);
            }
        }
        alone
    }

    /// What the tokens of a recorded execution say.
    pub fn recorded(tokens: &[Token]) -> SoloOutcomes {
        let recorded = tokens.iter().map(|token| (token.word.clone(), token.whole_alone)).collect();
        SoloOutcomes { recorded, ..SoloOutcomes::default() }
    }

    /// Says of every token of an execution whether it stays whole when clients act one at a time.
    pub fn tell(&self, interaction: &Interaction, tokens: &mut [Token]) {
        tell(|names| self.whole.get(names).cloned(), interaction, tokens);
        for token in tokens {
            token.whole_alone = token.whole_alone.or(self.recorded.get(&token.word).copied().flatten());
        }
    }

    /// Performs the actions with one client, where nothing is known of that, and tells the tokens that do not stay whole then. Of the
    /// others nothing is told: what is demanded of a word does not grow by this. Says whether it told anything.
    pub fn excuse(
        &self,
        world: &mut dyn World,
        stop: &StopSignal,
        interaction: &Interaction,
        tokens: &mut [Token],
    ) -> Result<bool, WorldError> {
        if tokens.iter().all(|token| token.whole_alone.is_some()) {
            return Ok(false);
        }
        let look = Look { wanted: ObserveOptions::default().and_words(true), caret: false };
        for action in &interaction.concurrent {
            let actions: Vec<&Action> = interaction.prefix.iter().chain([action]).collect();
            let names = names_of(&actions);
            if self.whole.contains_key(&names) || self.tried().contains_key(&names) {
                continue;
            }
            let seen = explore_sequence(world, stop, &actions, actions.len(), look)?;
            let whole = seen.last().and_then(|seen| whole_words(&actions, seen.as_ref().ok()?));
            // Where nothing can be said, no word is excused.
            let all = || (0..actions.iter().map(|action| tokens_of(action)).sum()).collect();
            self.tried().insert(names, whole.unwrap_or_else(all));
        }
        let mut told = tokens.to_vec();
        let known = |names: &[String]| self.whole.get(names).cloned().or_else(|| self.tried().get(names).cloned());
        tell(known, interaction, &mut told);
        let mut excused = false;
        for (token, told) in tokens.iter_mut().zip(told) {
            if token.whole_alone.is_none() && told.whole_alone == Some(false) {
                token.whole_alone = Some(false);
                excused = true;
            }
        }
        Ok(excused)
    }

    fn tried(&self) -> MutexGuard<'_, Outcomes> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says it where the outcome of a sequence is known, by the names of its actions.
fn tell(outcome: impl Fn(&[String]) -> Option<BTreeSet<usize>>, interaction: &Interaction, tokens: &mut [Token]) {
    let before: usize = interaction.prefix.iter().map(tokens_of).sum();
    let after = |action: &Action| {
        let actions: Vec<&Action> = interaction.prefix.iter().chain([action]).collect();
        outcome(&names_of(&actions))
    };
    let mut numbers: BTreeMap<ClientId, usize> = BTreeMap::new();
    for token in tokens {
        // In phase 1 there is one client: what any of them types concurrently comes right after the prefix.
        let from = if token.client == ClientId(0) { 0 } else { before };
        let number = numbers.entry(token.client).or_insert(from);
        token.whole_alone = match token.part {
            Part::Prefix => interaction
                .concurrent
                .iter()
                .try_fold(true, |whole, action| after(action).map(|kept| whole && kept.contains(number))),
            Part::Concurrent { .. } => {
                let action = &interaction.concurrent[token.client.0];
                let in_round = (*number - before) % tokens_of(action).max(1);
                after(action).map(|kept| kept.contains(&(before + in_round)))
            }
        };
        *number += 1;
    }
}

/// The words of these actions that an observation has once, by their numbers; `None` if no text was observed.
fn whole_words(actions: &[&Action], seen: &Observation) -> Option<BTreeSet<usize>> {
    let writing = TextContent::of(seen)?;
    let typed: usize = actions.iter().map(|action| tokens_of(action)).sum();
    Some((0..typed).filter(|number| writing.count(&token_word(ClientId(0), *number)) == 1).collect())
}

fn names_of(actions: &[&Action]) -> Vec<String> {
    actions.iter().map(|action| action.name.clone()).collect()
}

fn tokens_of(action: &Action) -> usize {
    action.steps.iter().map(Step::tokens).sum()
}
