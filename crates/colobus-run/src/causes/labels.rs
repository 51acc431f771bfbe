//! [`Texts`]: texts that stand beside each other in the pages of two clients. A chat that writes "You: hello" for one user and "Ann: hello"
//! for the other does so when users take turns, too; one that writes "You: hello" where the other user reads "You: bye" has lost the order.

use std::collections::BTreeSet;

use colobus_compare::places::DifferingTexts;
use colobus_model::{Step, Trace};

/// The texts in which the first client differs from each of the others.
#[derive(Default)]
pub(super) struct Texts {
    pairs: Vec<(usize, DifferingTexts)>,
}

impl Texts {
    pub fn add(&mut self, client: usize, pairs: Vec<DifferingTexts>) {
        self.pairs.extend(pairs.into_iter().map(|pair| (client, pair)));
    }

    /// Whether every two texts differ only in how each user is addressed. If users typed the same in both, it is enough that one of the
    /// `controls` has them beside each other, or that one of them is in none (a name that is made up anew each time, a notice). If
    /// not (each user sees what they wrote), all controls have to agree.
    pub fn are_labels_as_in(&self, controls: &[&Texts], typed: &TypedWords) -> bool {
        let controls: Vec<BTreeSet<Shape>> = controls.iter().map(|control| control.shapes().collect()).collect();
        let occurs = |text: &String| controls.iter().flatten().any(|shape| [&shape.one, &shape.other].contains(&text));
        self.pairs.iter().zip(self.shapes()).all(|((_, texts), shape)| {
            if typed.stand_in_another_order(&texts.one, &texts.other) {
                return false;
            }
            let mut has_it = controls.iter().map(|control| control.contains(&shape));
            match typed.within(&texts.one) == typed.within(&texts.other) {
                true => has_it.any(|has_it| has_it) || !occurs(&shape.one) || !occurs(&shape.other),
                false => has_it.all(|has_it| has_it),
            }
        })
    }

    fn shapes(&self) -> impl Iterator<Item = Shape> {
        self.pairs.iter().map(|(client, DifferingTexts { selector, one, other })| Shape {
            client: *client,
            selector: selector.clone(),
            one: without_digits(one),
            other: without_digits(other),
        })
    }
}

/// Two texts without what counts and tells the time.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    client: usize,
    selector: Option<String>,
    one: String,
    other: String,
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// A word of so many letters is hardly a part of another one by chance.
const LONG: usize = 3;

/// The words that users typed.
pub(super) struct TypedWords(BTreeSet<String>);

impl TypedWords {
    pub fn of(trace: &Trace) -> TypedWords {
        let interaction = &trace.interaction;
        let steps = interaction.prefix.iter().chain(&interaction.concurrent).flat_map(|action| &action.steps);
        let texts = steps.filter_map(|step| match step {
            Step::Type(text) | Step::Paste(text) => Some(text.as_str()),
            _ => None,
        });
        let tokens = trace.tokens.iter().map(|token| token.word.as_str());
        TypedWords(texts.chain(tokens).flat_map(words).collect())
    }

    pub fn occur_in(&self, text: &str) -> bool {
        let is_long = |word: &&String| word.chars().count() >= LONG;
        !self.within(text).is_empty() || self.0.iter().filter(is_long).any(|word| text.contains(word.as_str()))
    }

    /// Whether two texts say the same but for the order of what users typed: that belongs to all of them, also where each user finds the
    /// own words first.
    fn stand_in_another_order(&self, one: &str, other: &str) -> bool {
        let ((mut here, rest), (mut there, same)) = (self.taken_out_of(one), self.taken_out_of(other));
        let is_other_order = here != there;
        here.sort_unstable();
        there.sort_unstable();
        is_other_order && rest == same && here == there
    }

    /// What was typed, in the order in which it stands in a text, and what is left of the text. Words may stand without a space between them.
    fn taken_out_of<'t>(&self, text: &'t str) -> (Vec<&'t str>, String) {
        let (mut typed, mut rest) = (Vec::new(), String::new());
        let mut left = text;
        while let Some(first) = left.chars().next() {
            let longest = self.0.iter().filter(|word| left.starts_with(word.as_str())).map(String::len).max();
            let (taken, behind) = left.split_at(longest.unwrap_or(first.len_utf8()));
            match longest {
                Some(_) => typed.push(taken),
                None => rest.push_str(taken),
            }
            left = behind;
        }
        (typed, rest)
    }

    /// Those of them that occur in a text.
    fn within(&self, text: &str) -> BTreeSet<String> {
        words(text).filter(|word| self.0.contains(word)).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Texts {
        let pair = |(one, other): &(&str, &str)| DifferingTexts {
            selector: Some("li.message".into()),
            one: one.to_string(),
            other: other.to_string(),
        };
        let mut texts = Texts::default();
        texts.add(1, pairs.iter().map(pair).collect());
        texts
    }

    fn are_labels(pairs: &[(&str, &str)]) -> bool {
        let control = texts(&[
            ("You: hello", "Ann: hello"),
            ("Ben: bye", "You: bye"),
            ("12:01 saved", "12:01 Ann saved"),
            ("my hello", "my bye"),
            ("hello", "bye"),
        ]);
        let typed = TypedWords(["hello".to_string(), "bye".into()].into());
        let reversed = texts(&[("You: hello", "Ann: hello"), ("Ben: bye", "You: bye"), ("my hello", "my bye")]);
        texts(pairs).are_labels_as_in(&[&control, &reversed], &typed)
    }

    #[test]
    fn who_is_addressed_may_differ_and_the_order_may_not() {
        assert!(are_labels(&[("Ben: bye", "You: bye"), ("You: hello", "Ann: hello")]));
        assert!(are_labels(&[("12:59 saved", "12:59 Ann saved")]), "time passes");
        assert!(!are_labels(&[("You: hello", "You: bye"), ("Ben: bye", "Ann: hello")]));
        assert!(!are_labels(&[("12:01 saved", "You: bye")]));
        assert!(are_labels(&[("my hello", "my bye")]), "each user sees what they wrote, in both orders");
        assert!(!are_labels(&[("hello", "bye")]), "in one of two orders only");
    }

    #[test]
    fn the_order_of_what_users_typed_is_no_label() {
        let control = texts(&[("bqddxg|", "dxgbqd|"), ("You: bqd", "Ann: bqd")]);
        let typed = TypedWords(["bqd".to_string(), "dxg".into()].into());
        let are_labels = |one, other| texts(&[(one, other)]).are_labels_as_in(&[&control, &control], &typed);
        assert!(!are_labels("bqddxg|", "dxgbqd|"), "also where it is so in every control");
        assert!(are_labels("You: bqd", "Ann: bqd"));
        assert!(!typed.stand_in_another_order("bqdbqddxg", "bqddxgdxg"), "other words, not another order");
        assert!(typed.occur_in("bqddxg") && !typed.occur_in("bq"));
    }

    #[test]
    fn of_texts_that_were_never_seen_what_users_typed_is_compared() {
        assert!(are_labels(&[("Tiger: hello", "You: hello")]), "a name that the server makes up");
        assert!(!are_labels(&[("Tiger: hello", "You: bye")]));
        assert!(!are_labels(&[("You: hello", "Ann: hel")]));
        assert!(!are_labels(&[("You: hello", "")]));
        assert!(are_labels(&[("saved", "another user was faster")]));
    }
}
