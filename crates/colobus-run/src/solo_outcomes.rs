//! [`SoloOutcomes`]: what becomes of the words that one client types when it acts alone. Read from phase 1, consumed by every
//! execution, whose tokens it completes for the check `conservation`.

use std::collections::{BTreeMap, BTreeSet};

use colobus_check::TextContent;
use colobus_model::{Action, ClientId, Interaction, Part, Step, Token, token_word};
use colobus_pairs::{ActionTree, Exploration};

/// For sequences of actions of one client: which of the words it typed are whole in the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoloOutcomes {
    whole: BTreeMap<Vec<String>, BTreeSet<usize>>,
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
            let Some(writing) = exploration.observation(&sequence).and_then(TextContent::of) else { continue };
            let typed: usize = sequence.iter().map(|index| tokens_of(&actions[*index])).sum();
            let whole = (0..typed).filter(|number| writing.count(&token_word(ClientId(0), *number)) == 1);
            let names = sequence.iter().map(|index| actions[*index].name.clone()).collect();
            alone.whole.insert(names, whole.collect());
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
        let before: usize = interaction.prefix.iter().map(tokens_of).sum();
        let after = |action: &Action| {
            let names = interaction.prefix.iter().chain([action]).map(|action| action.name.clone());
            self.whole.get(&names.collect::<Vec<String>>())
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
            token.whole_alone = token.whole_alone.or(self.recorded.get(&token.word).copied().flatten());
            *number += 1;
        }
    }
}

fn tokens_of(action: &Action) -> usize {
    action.steps.iter().map(Step::tokens).sum()
}
