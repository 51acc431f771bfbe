//! [`Token`]: a word that is typed once and nowhere else, so that what became of it can be told. Actions ask for a fresh
//! one with `{token}`.

use serde::{Deserialize, Serialize};

use crate::ClientId;

/// What stands for a fresh word in the text of a step.
pub const TOKEN: &str = "{token}";

/// A word that a user typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    pub word: String,
    pub client: ClientId,
    pub part: Part,
    /// Whether it stays whole when one client performs the prefix and any one of the concurrent actions alone; `None` if
    /// it was not tried.
    pub whole_alone: Option<bool>,
}

/// When a token was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Prefix,
    /// In this step of its client's concurrent part, counted from zero.
    Concurrent {
        step: usize,
    },
}

/// Letters that hardly ever stand between two of [`OTHERS`] in any language that pages are written in.
const RARE: [char; 4] = ['q', 'x', 'z', 'j'];
const OTHERS: [char; 11] = ['b', 'd', 'g', 'k', 'm', 'f', 'w', 'h', 'p', 'v', 'c'];
const MOST_CLIENTS: usize = 26;
/// Words of one length: all pairs of two different others, each with one rare letter in between.
const OF_ONE_LENGTH: usize = RARE.len() * OTHERS.len() * (OTHERS.len() - 1);

/// The word that a client types as its `number`th. A rare letter stands between two others: however words are put side by
/// side, no further one comes out, and none is part of another. Words of the same turn differ in every letter.
pub fn token_word(client: ClientId, number: usize) -> String {
    let index = number * MOST_CLIENTS + client.0 % MOST_CLIENTS;
    let (length, place) = (1 + index / OF_ONE_LENGTH, index % OF_ONE_LENGTH);
    let first = place % OTHERS.len();
    let last = (first + 1 + place / (OTHERS.len() * RARE.len())) % OTHERS.len();
    let rare = RARE[place % RARE.len()].to_string().repeat(length);
    format!("{}{rare}{}", OTHERS[first], OTHERS[last])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Step;

    fn words(clients: usize, numbers: usize) -> Vec<String> {
        let all = (0..numbers).flat_map(|number| (0..clients).map(move |client| token_word(ClientId(client), number)));
        all.collect()
    }

    #[test]
    fn no_word_is_part_of_another_or_comes_out_of_two() {
        let many = words(MOST_CLIENTS, 40);
        for word in &many {
            assert_eq!(many.iter().filter(|other| other.contains(word.as_str())).count(), 1, "{word}");
        }
        let few = words(3, 6);
        for (one, other) in few.iter().flat_map(|one| few.iter().map(move |other| (one, other))) {
            let both = format!("{one}{other}");
            let inside = few.iter().filter(|word| both.contains(word.as_str())).count();
            assert_eq!(inside, if one == other { 1 } else { 2 }, "{both}");
        }
    }

    #[test]
    fn words_of_one_turn_differ_in_every_letter() {
        assert_eq!(words(2, 2), ["bqd", "dxg", "mzf", "fjw"]);
        let step = Step::Type("{token} and {token}".into());
        assert_eq!((step.tokens(), Step::Press("a".parse().unwrap()).tokens()), (2, 0));
        assert_eq!(step.with_tokens(&words(1, 2)), Step::Type("bqd and mzf".into()));
    }
}
