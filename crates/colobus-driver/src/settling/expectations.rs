//! [`Episode`]: what clients sent and what came to them since everything had settled last. Filled by [`Reactions`](super::reactions::Reactions);
//! [`learn`] draws from it what follows what, and [`missing`] says what has followed every time so far and is not there yet.
//!
//! A message is counted by its shape. What is learned is a lower bound: of this shape at least as many messages came as were sent of
//! that one, in every settling so far. Only settlings in which messages of one shape were sent speak for it: what came may follow
//! from another one otherwise. A settling in which fewer came ends the expectation, so that one that is wrong costs one wait.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use colobus_model::{Expected, Followers};
use colobus_proxy::ConnectionId;

use super::limits::{ENOUGH_SETTLINGS, MOST_EXPECTATIONS};

/// A client, by the port of its proxy.
pub type Port = u16;
/// The connections of each client over which it can be told something that it did not ask for.
pub type Listening = BTreeMap<Port, BTreeSet<ConnectionId>>;

/// The connections without those of the document before, which its pages may still be closing: they tell the present one nothing.
pub fn without(mut listening: Listening, left: &Listening) -> Listening {
    for (client, lines) in &mut listening {
        if let Some(left) = left.get(client) {
            lines.retain(|line| !left.contains(line));
        }
    }
    listening
}

#[derive(Debug, Default)]
pub struct Episode {
    sent: BTreeMap<String, BTreeMap<Port, usize>>,
    came: BTreeMap<(Port, String), usize>,
    listening: Listening,
}

/// Something that was sent, and what should have followed and did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub sent: String,
    pub reaction: String,
    pub receivers: Receivers,
}

/// Who is told what a client sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receivers {
    Sender,
    Others,
    /// Each of several clients, whichever of them sends: if two send one message each, both get two.
    Everyone,
}

impl Receivers {
    pub const ALL: [Receivers; 3] = [Receivers::Sender, Receivers::Others, Receivers::Everyone];

    fn of(self, expected: &Expected) -> &Followers {
        match self {
            Receivers::Sender => &expected.sender,
            Receivers::Others => &expected.others,
            Receivers::Everyone => &expected.everyone,
        }
    }

    pub fn of_mut(self, expected: &mut Expected) -> &mut Followers {
        match self {
            Receivers::Sender => &mut expected.sender,
            Receivers::Others => &mut expected.others,
            Receivers::Everyone => &mut expected.everyone,
        }
    }
}

impl fmt::Display for Receivers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Receivers::Sender => "its sender",
            Receivers::Others => "the others",
            Receivers::Everyone => "everyone",
        })
    }
}

impl Episode {
    /// Nothing has been sent yet; these connections are open.
    pub fn new(listening: Listening) -> Episode {
        Episode { listening, ..Episode::default() }
    }

    pub fn sent(&mut self, client: Port, shape: String) {
        *self.sent.entry(shape).or_default().entry(client).or_default() += 1;
    }

    pub fn came(&mut self, client: Port, shape: String) {
        *self.came.entry((client, shape)).or_default() += 1;
    }

    /// Clients whose connections have been the same all the time: another one may have missed something, or got it otherwise.
    fn listeners<'a>(&'a self, now: &'a Listening) -> impl Iterator<Item = Port> + 'a {
        let same =
            |(client, lines): &(&Port, &BTreeSet<ConnectionId>)| !lines.is_empty() && now.get(client) == Some(*lines);
        self.listening.iter().filter(same).map(|(client, _)| *client)
    }

    /// Of each listener that should hear of messages of this shape: of how many.
    fn owed(&self, sent: &BTreeMap<Port, usize>, receivers: Receivers, now: &Listening) -> Vec<(Port, usize)> {
        let all: usize = sent.values().sum();
        let listeners: Vec<Port> = self.listeners(now).collect();
        let count = |client: &Port| {
            let own = sent.get(client).copied().unwrap_or_default();
            let owed = match receivers {
                Receivers::Sender => own,
                Receivers::Others => all - own,
                // A client that is alone does not tell whether others would hear the same.
                Receivers::Everyone if listeners.len() < 2 => 0,
                Receivers::Everyone => all,
            };
            (*client, owed)
        };
        listeners.iter().map(count).filter(|(_, owed)| *owed > 0).collect()
    }

    fn has_come(&self, shape: &str, owed: &[(Port, usize)]) -> bool {
        let came = |client: Port| self.came.get(&(client, shape.to_string())).copied().unwrap_or_default();
        owed.iter().all(|(client, count)| came(*client) >= *count)
    }
}

/// What has followed every time so far, often enough to be believed, and is missing.
pub fn missing(expected: &BTreeMap<String, Expected>, episode: &Episode, now: &Listening) -> Vec<Missing> {
    let mut missing = Vec::new();
    for (shape, sent) in &episode.sent {
        let Some(expected) = expected.get(shape) else { continue };
        for receivers in Receivers::ALL {
            let Followers { times, shapes } = receivers.of(expected);
            if *times < ENOUGH_SETTLINGS {
                continue;
            }
            let owed = episode.owed(sent, receivers, now);
            for reaction in shapes.iter().filter(|reaction| !episode.has_come(reaction, &owed)) {
                missing.push(Missing { sent: shape.clone(), reaction: reaction.clone(), receivers });
            }
        }
    }
    missing
}

/// Everything has settled: what came is all that follows what was sent.
pub fn learn(expected: &mut BTreeMap<String, Expected>, episode: &Episode, now: &Listening) {
    let came: BTreeSet<&String> = episode.came.keys().map(|(_, shape)| shape).collect();
    let is_alone = episode.sent.len() == 1;
    for (shape, sent) in &episode.sent {
        if !expected.contains_key(shape) && (!is_alone || expected.len() >= MOST_EXPECTATIONS) {
            continue;
        }
        for receivers in Receivers::ALL {
            let owed = episode.owed(sent, receivers, now);
            if owed.is_empty() {
                continue;
            }
            let Followers { times, shapes } = receivers.of_mut(expected.entry(shape.clone()).or_default());
            if is_alone && *times == 0 {
                shapes.extend(came.iter().map(ToString::to_string));
            }
            *times += usize::from(is_alone);
            shapes.retain(|reaction| episode.has_come(reaction, &owed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Receivers::{Everyone, Others, Sender};
    use super::*;

    const A: Port = 1;
    const B: Port = 2;

    fn listening(clients: &[Port]) -> Listening {
        clients.iter().map(|client| (*client, [ConnectionId(7)].into())).collect()
    }

    /// Of clients A and B: what they sent, and what came to them.
    fn episode(sent: &[(Port, &str)], came: &[(Port, &str)]) -> Episode {
        let mut episode = Episode::new(listening(&[A, B]));
        sent.iter().for_each(|(client, shape)| episode.sent(*client, shape.to_string()));
        came.iter().for_each(|(client, shape)| episode.came(*client, shape.to_string()));
        episode
    }

    fn learned(episodes: &[Episode]) -> BTreeMap<String, Expected> {
        let mut expected = BTreeMap::new();
        episodes.iter().for_each(|episode| learn(&mut expected, episode, &listening(&[A, B])));
        expected
    }

    fn missing_in(expected: &BTreeMap<String, Expected>, episode: &Episode) -> Vec<(Receivers, String)> {
        let missing = missing(expected, episode, &listening(&[A, B])).into_iter();
        missing.map(|missing| (missing.receivers, missing.reaction)).collect()
    }

    fn said(receivers: &[Receivers]) -> Vec<(Receivers, String)> {
        receivers.iter().map(|receivers| (*receivers, "said".to_string())).collect()
    }

    /// A says something three times, and the server tells both.
    fn chat() -> BTreeMap<String, Expected> {
        learned(&[(); ENOUGH_SETTLINGS].map(|()| episode(&[(A, "say")], &[(A, "said"), (B, "said")])))
    }

    #[test]
    fn what_followed_every_time_is_missing_until_all_of_it_has_come() {
        let (expected, both) = (chat(), [(A, "say"), (B, "say")]);
        assert_eq!(missing_in(&expected, &episode(&both, &[])), said(&[Sender, Others, Everyone]));
        assert_eq!(missing_in(&expected, &episode(&both, &[(A, "said"), (B, "said")])), said(&[Everyone]));
        let all = [(A, "said"), (A, "said"), (B, "said"), (B, "said")];
        assert_eq!(missing_in(&expected, &episode(&both, &all)), []);
        let twice = [(A, "say"), (A, "say")];
        assert_eq!(missing_in(&expected, &episode(&twice, &all[..3])), said(&[Others, Everyone]));
        assert_eq!(missing_in(&expected, &episode(&twice, &all)), []);
    }

    #[test]
    fn who_hears_of_what_is_learned() {
        let told = learned(&[(); ENOUGH_SETTLINGS].map(|()| episode(&[(A, "say")], &[(B, "said")])));
        let both = [(A, "say"), (B, "say")];
        assert_eq!(missing_in(&told, &episode(&both, &[(A, "said")])), said(&[Others]));
        assert_eq!(missing_in(&told, &episode(&both, &[(A, "said"), (B, "said")])), []);
        let confirmed = learned(&[(); ENOUGH_SETTLINGS].map(|()| episode(&[(A, "say")], &[(A, "said")])));
        assert_eq!(missing_in(&confirmed, &episode(&both, &[(A, "said")])), said(&[Sender]));
    }

    #[test]
    fn what_was_seen_less_often_than_enough_is_not_expected() {
        let seen = [(); ENOUGH_SETTLINGS - 1].map(|()| episode(&[(A, "say")], &[(B, "said")]));
        assert_eq!(missing_in(&learned(&seen), &episode(&[(A, "say")], &[])), []);
        assert_eq!(missing_in(&chat(), &episode(&[(A, "leave")], &[])), []);
    }

    #[test]
    fn one_settling_without_it_ends_an_expectation_for_good() {
        let (mut expected, silent) = (chat(), episode(&[(A, "say")], &[]));
        learn(&mut expected, &episode(&[(A, "say")], &[(A, "said")]), &listening(&[A, B]));
        assert_eq!(missing_in(&expected, &silent), said(&[Sender]));
        learn(&mut expected, &episode(&[(A, "say")], &[(A, "said"), (B, "said")]), &listening(&[A, B]));
        assert_eq!(missing_in(&expected, &silent), said(&[Sender]), "it does not come back");
    }

    #[test]
    fn what_came_along_with_something_else_is_not_expected() {
        let both = || episode(&[(A, "say"), (A, "type")], &[(B, "said"), (B, "typed")]);
        let along = learned(&[(); ENOUGH_SETTLINGS].map(|()| both()));
        assert_eq!(missing_in(&along, &episode(&[(A, "type")], &[(B, "typed")])), []);
        // It can still be missing, and end an expectation.
        let mut expected = chat();
        assert_eq!(missing_in(&expected, &both()), said(&[Sender, Everyone]));
        learn(&mut expected, &both(), &listening(&[A, B]));
        assert_eq!(missing_in(&expected, &episode(&[(A, "say")], &[])), said(&[Others]));
    }

    #[test]
    fn clients_that_were_away_or_have_just_come_are_owed_nothing_and_teach_nothing() {
        let (mut expected, silent) = (chat(), episode(&[(A, "say")], &[(A, "said")]));
        for now in [listening(&[A]), [(A, [ConnectionId(7)].into()), (B, [ConnectionId(8)].into())].into()] {
            assert_eq!(missing(&expected, &silent, &now), []);
            learn(&mut expected, &silent, &now);
        }
        assert_eq!(missing_in(&expected, &silent), said(&[Others, Everyone]));
        let mut before = Episode::new(listening(&[A]));
        before.sent(A, "say".to_string());
        before.came(A, "said".to_string());
        assert_eq!(missing(&expected, &before, &listening(&[A, B])), []);
    }

    #[test]
    fn connections_of_the_document_before_end_without_a_difference() {
        let old: Listening = [(A, [ConnectionId(3)].into()), (B, [ConnectionId(3)].into())].into();
        let both: Listening = [A, B].map(|client| (client, [ConnectionId(3), ConnectionId(7)].into())).into();
        let mut episode = Episode::new(without(both, &old));
        episode.sent(A, "say".to_string());
        // They are closed meanwhile.
        let now = without(listening(&[A, B]), &old);
        assert_eq!(missing(&chat(), &episode, &now).len(), 3);
    }

    #[test]
    fn the_number_of_expectations_is_bounded() {
        let mut expected = BTreeMap::new();
        for number in 0..2 * MOST_EXPECTATIONS {
            let shape = format!("say {number}");
            learn(&mut expected, &episode(&[(A, &shape)], &[(B, "said")]), &listening(&[A, B]));
        }
        assert_eq!(expected.len(), MOST_EXPECTATIONS);
    }
}
