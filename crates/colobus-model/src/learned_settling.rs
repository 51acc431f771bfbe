//! [`LearnedSettling`]: what a run has learned of its application while it waited for it. Produced by the worlds of a run, written
//! beside its results, and given to the worlds of a run that continues it or replays one of its findings.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How late the server reacts, which requests stay open, which timers poll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnedSettling {
    /// The longest silence before each shape of reaction.
    pub lags: BTreeMap<String, Duration>,
    /// Shapes of messages that come again and again by themselves.
    pub unasked: BTreeSet<String>,
    /// Requests that stay open.
    pub stays_open: BTreeSet<String>,
    /// Those of them that stay inside the browser.
    pub stays_inside: BTreeSet<String>,
    /// Requests that timers send, and every how many milliseconds.
    pub polls: BTreeMap<String, u64>,
    /// Polls whose answers are never the same.
    pub varying: BTreeSet<String>,
    /// Timers that went off and sent nothing.
    pub silent_timers: BTreeSet<String>,
    /// What follows what clients send, by the shape of what is sent.
    pub expected: BTreeMap<String, Expected>,
    /// In this run: whether any settling was decided by silence.
    #[serde(skip)]
    pub silence_decides: bool,
    /// In this run: whether a document that had been emptied in place turned out to differ from a fresh one.
    #[serde(skip)]
    pub emptied_in_vain: bool,
    /// In this run: how many reactions came after everything had counted as settled.
    #[serde(skip)]
    pub late: usize,
    /// In this run: what was expected and did not come, for people.
    #[serde(skip)]
    pub missed: BTreeSet<String>,
}

/// What follows messages and requests of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Expected {
    /// At the client that sent them.
    pub sender: Followers,
    /// At each other client.
    pub others: Followers,
    /// At each of several clients, whichever of them sends.
    pub everyone: Followers,
}

/// Shapes of messages of which at least as many came as were sent of another shape, in every settling so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Followers {
    /// The settlings.
    pub times: usize,
    pub shapes: BTreeSet<String>,
}

impl Followers {
    /// What followed in these settlings and in others.
    fn add(&mut self, other: Followers) {
        if self.times == 0 {
            *self = other;
        } else if other.times > 0 {
            self.times += other.times;
            self.shapes.retain(|shape| other.shapes.contains(shape));
        }
    }
}

impl LearnedSettling {
    /// The longest silence before any reaction.
    pub fn slowest(&self) -> Duration {
        let reactions = self.lags.iter().filter(|(shape, _)| !self.unasked.contains(*shape));
        reactions.map(|(_, lag)| *lag).max().unwrap_or_default()
    }

    /// Adds what another run has learned; what is said of one run only stays as it is.
    pub fn add(&mut self, other: LearnedSettling) {
        for (shape, lag) in other.lags {
            let longest = self.lags.entry(shape).or_default();
            *longest = lag.max(*longest);
        }
        self.unasked.extend(other.unasked);
        self.stays_open.extend(other.stays_open);
        self.stays_inside.extend(other.stays_inside);
        self.polls.extend(other.polls);
        self.varying.extend(other.varying);
        self.silent_timers.extend(other.silent_timers);
        for (shape, Expected { sender, others, everyone }) in other.expected {
            let expected = self.expected.entry(shape).or_default();
            expected.sender.add(sender);
            expected.others.add(others);
            expected.everyone.add(everyone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_runs_expect_is_what_followed_in_both() {
        let learned = |times, shapes: &[&str]| {
            let shapes = shapes.iter().map(ToString::to_string).collect();
            let others = Followers { times, shapes };
            let expected = Expected { others, ..Expected::default() };
            LearnedSettling { expected: [("say".to_string(), expected)].into(), ..LearnedSettling::default() }
        };
        let mut both = learned(3, &["told", "seen"]);
        both.add(learned(2, &["told", "left"]));
        assert_eq!(both, learned(5, &["told"]));
        both.add(LearnedSettling::default());
        assert_eq!(both, learned(5, &["told"]));
        let mut fresh = LearnedSettling::default();
        fresh.add(both);
        assert_eq!(fresh, learned(5, &["told"]));
    }
}
