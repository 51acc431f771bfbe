//! Words that the application did not take: a refusal is a legitimate end of a word, if the page says so to its user.

use colobus_model::{ErrorKind, Observation, Part, Token, Trace};

/// Whether the server refused a request of the word's author (4xx), and the author's page shows something that no other page
/// shows. A refusal that the page does not show loses the word.
pub fn was_refused(trace: &Trace, token: &Token) -> bool {
    let Some(author) = trace.observations.get(token.client.0) else { return false };
    matches!(token.part, Part::Concurrent { .. }) && has_refusal(author) && is_told(trace, token, author)
}

fn has_refusal(seen: &Observation) -> bool {
    let refused = |kind| matches!(kind, ErrorKind::Refused(400..=499));
    seen.errors.iter().any(|error| error.during_concurrent && refused(error.kind))
}

/// What the author alone reads, typed words aside.
fn is_told(trace: &Trace, token: &Token, author: &Observation) -> bool {
    let others = || trace.observations.iter().enumerate().filter(|(index, _)| *index != token.client.0);
    let shown_elsewhere = |passage: &String| others().any(|(_, other)| read_on(other).any(|text| text == passage));
    let says_something = |passage: &String| {
        let without_words = trace.tokens.iter().fold(passage.clone(), |text, token| text.replace(&token.word, ""));
        without_words.chars().any(char::is_alphabetic)
    };
    read_on(author).any(|passage| says_something(passage) && !shown_elsewhere(passage))
}

/// Everything that a user reads: what a page tells its own user is often ignored in comparisons.
fn read_on(seen: &Observation) -> impl Iterator<Item = &String> {
    seen.text.iter().flatten().chain(&seen.aside)
}
