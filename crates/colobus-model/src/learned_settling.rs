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
    /// Requests that timers send, and every how many milliseconds.
    pub polls: BTreeMap<String, u64>,
    /// Polls whose answers are never the same.
    pub varying: BTreeSet<String>,
    /// Timers that went off and sent nothing.
    pub silent_timers: BTreeSet<String>,
    /// In this run: whether any settling was decided by silence.
    #[serde(skip)]
    pub silence_decides: bool,
    /// In this run: how many reactions came after everything had counted as settled.
    #[serde(skip)]
    pub late: usize,
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
        self.polls.extend(other.polls);
        self.varying.extend(other.varying);
        self.silent_timers.extend(other.silent_timers);
    }
}
