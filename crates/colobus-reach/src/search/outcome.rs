//! [`Found`]: what a search ends with, and why.

use std::fmt;
use std::sync::Arc;

use crate::page::Step;

/// Notes and reasons beyond these many are counted, not kept.
const MOST_NOTES: usize = 20_000;
const MOST_REASONS: usize = 50;

/// Whether the target was reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Outcome {
    /// By these steps, which hit it on the plain page.
    Reached(Vec<Step>),
    /// No sequence of the model reaches it, with numbers as reals.
    Unreachable,
    /// More sequences are possible than may be tried.
    Limit,
    /// All sequences were tried, but for some of them it is not known whether they reach it; see the reasons.
    #[default]
    Undecided,
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Partial sequences that were extended.
    pub iterations: usize,
    /// Partial sequences that were made.
    pub partial_sequences: usize,
    /// Anchors that were found.
    pub anchors: usize,
    /// Anchors that the solver excluded.
    pub pruned: usize,
    /// Ways from anchors that were followed.
    pub ways: usize,
    /// Longer sequences that ask for the same as a shorter one and were dropped.
    pub loops: usize,
    /// Sequences that were performed on the plain page.
    pub replays: usize,
    /// Events of the sequence that was found which only lead from one anchor to the next.
    pub connectors: usize,
    /// Questions that the solver left open.
    pub unknown: usize,
    /// States that the search from the start looked at.
    pub simulated: usize,
}

/// One thing that happened during a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The solver excluded an anchor.
    Pruned {
        /// The anchor.
        anchor: Arc<str>,
        /// What it would have stood before.
        sequence: String,
    },
    /// A longer sequence is possible.
    Extended {
        /// The sequence.
        sequence: String,
    },
    /// A complete sequence was performed.
    Replayed {
        /// Its steps.
        steps: Vec<Step>,
        /// Whether it hit the target.
        hit: bool,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Note::Pruned { anchor, sequence } => write!(f, "{anchor} cannot come before {sequence}"),
            Note::Extended { sequence } => write!(f, "{sequence} is possible"),
            Note::Replayed { steps, hit } => {
                let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
                write!(f, "{} on the page: {}", if *hit { "hit" } else { "missed" }, steps.join(" "))
            }
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Whether the target was reached.
    pub outcome: Outcome,
    /// How much was done.
    pub statistics: Statistics,
    /// Why it was not reached, or why the answer is not certain.
    pub reasons: Vec<String>,
    /// Whether a reason is that the line depends on something which no event sets: answers of servers, chance, time.
    pub is_external: bool,
    /// What happened, in order.
    pub notes: Vec<Note>,
}

impl Found {
    pub(super) fn reason(&mut self, reason: String) {
        if self.reasons.len() < MOST_REASONS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// One that says more than those that came before it.
    pub(super) fn first_reason(&mut self, reason: String) {
        if !self.reasons.contains(&reason) {
            self.reasons.insert(0, reason);
            self.reasons.truncate(MOST_REASONS);
        }
    }

    pub(super) fn note(&mut self, note: Note) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(note);
        }
    }
}
