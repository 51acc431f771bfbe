//! What became of a word that should be there exactly once.

use colobus_model::DifferenceKind;

use crate::TextContent;

/// Something other than being there once and whole.
pub struct TokenState {
    pub kind: DifferenceKind,
    /// Goes on after "in B's document".
    pub what: String,
}

/// `None` if the word is there exactly once. `words` are all that were typed.
pub fn token_state(writing: &TextContent, word: &str, words: &[&str]) -> Option<TokenState> {
    let (kind, what) = match writing.count(word) {
        1 => return None,
        0 => missing(writing, word, words),
        count => (DifferenceKind::Doubled, format!("it stands {count} times")),
    };
    Some(TokenState { kind, what })
}

fn missing(writing: &TextContent, word: &str, words: &[&str]) -> (DifferenceKind, String) {
    let others = words.iter().filter(|other| **other != word && writing.count(other) == 0);
    for other in others {
        if let Some(mixed) = shuffle(writing, word, other) {
            return (DifferenceKind::Interleaved, format!("its letters are mixed with those of “{other}”: “{mixed}”"));
        }
    }
    // What is left when all whole words are gone: their letters are no pieces of this one.
    let whole = |text: &str| words.iter().fold(text.to_string(), |text, word| text.replace(word, " "));
    let rest: Vec<String> = writing.passages().iter().map(|passage| whole(passage)).collect();
    let there = |piece: &str| rest.iter().any(|text| text.contains(piece));
    let cuts = (1..word.len()).map(|at| word.split_at(at));
    let mut pieces = cuts.filter(|(start, end)| there(if start.len() > end.len() { start } else { end }));
    match pieces.next() {
        Some((start, end)) if there(start) && there(end) => {
            (DifferenceKind::Torn, format!("it is torn into “{start}” and “{end}”"))
        }
        Some((start, end)) => {
            let left = if start.len() > end.len() { start } else { end };
            (DifferenceKind::Lost, format!("only “{left}” is left of it"))
        }
        None => (DifferenceKind::Lost, "it is gone".to_string()),
    }
}

/// The place where exactly the letters of both words stand, those of each in order.
fn shuffle(writing: &TextContent, one: &str, other: &str) -> Option<String> {
    let length = one.len() + other.len();
    let windows = writing.passages().iter().flat_map(|passage| {
        let letters: Vec<char> = passage.chars().collect();
        letters.windows(length).map(<[char]>::to_vec).collect::<Vec<_>>()
    });
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    windows.into_iter().find(|window| is_shuffle(window, &one, &other)).map(|window| window.into_iter().collect())
}

fn is_shuffle(window: &[char], one: &[char], other: &[char]) -> bool {
    match window.split_first() {
        None => one.is_empty() && other.is_empty(),
        Some((letter, rest)) => {
            one.split_first().is_some_and(|(first, left)| first == letter && is_shuffle(rest, left, other))
                || other.split_first().is_some_and(|(first, left)| first == letter && is_shuffle(rest, one, left))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colobus_model::Observation;

    fn kind(passages: &[&str]) -> Option<DifferenceKind> {
        let text = passages.iter().map(|passage| passage.to_string()).collect();
        let writing = TextContent::on_screen(&Observation { text: Some(text), ..Observation::default() }).unwrap();
        token_state(&writing, "bqd", &["bqd", "dxg"]).map(|token_state| token_state.kind)
    }

    #[test]
    fn each_state_has_its_kind() {
        use DifferenceKind::{Doubled, Interleaved, Lost, Torn};
        assert_eq!(kind(&["Heading", "dxgbqd"]), None);
        assert_eq!(kind(&["bqdbqd"]), Some(Doubled));
        assert_eq!(kind(&["bqd", "bqd"]), Some(Doubled));
        assert_eq!(kind(&["dxg"]), Some(Lost));
        assert_eq!(kind(&["bq dxg"]), Some(Lost), "d is only there in another word");
        assert_eq!(kind(&["bq", "d"]), Some(Torn));
        assert_eq!(kind(&["bdxgqd"]), Some(Torn));
        assert_eq!(kind(&["a bdqxdg c"]), Some(Interleaved));
        assert_eq!(kind(&[]), Some(Lost));
    }
}
