//! [`TokenFiller`]: fills in the fresh words of one execution and remembers who typed them. Executions, exported tests and
//! discovery type the same words because all of them ask it.

use std::collections::BTreeMap;

use crate::{ClientId, Part, Step, Token, token_word};

/// Which words a client types depends on nothing but how many it has typed before.
#[derive(Clone, Debug, Default)]
pub struct TokenFiller {
    typed: BTreeMap<ClientId, usize>,
    /// Every word so far, in the order in which they were typed.
    pub tokens: Vec<Token>,
}

impl TokenFiller {
    /// The step as the client performs it.
    pub fn fill(&mut self, client: ClientId, step: &Step, part: Part) -> Step {
        let typed = self.typed.entry(client).or_default();
        let words: Vec<String> = (*typed..*typed + step.tokens()).map(|number| token_word(client, number)).collect();
        *typed += words.len();
        let token = |word: &String| Token { word: word.clone(), client, part, whole_alone: None };
        self.tokens.extend(words.iter().map(token));
        step.with_tokens(&words)
    }
}
