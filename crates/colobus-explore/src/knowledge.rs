//! [`Knowledge`]: all that was learned of a page: what ran, which code events enter, what they read and write, which states
//! there are. Written after each sequence, read by priorities and reports.

use std::collections::{BTreeMap, BTreeSet};

use colobus_world::ScriptName;

use crate::feedback::Accesses;
use crate::ui_model::{EventNote, StateId, States};
use crate::{Coverage, Feedback, Sequence};

#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    pub covered: Coverage,
    /// Which sequence ran a piece of code first, by its number.
    pub first: Vec<FirstRun>,
    pub states: States,
    events: BTreeMap<String, EventKnowledge>,
    /// How often an action was performed in a state, and how often after an event there.
    tried: BTreeMap<(StateId, String), usize>,
    tried_after: BTreeMap<(StateId, String, String), usize>,
}

/// Code that a sequence ran before any other.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstRun {
    pub sequence: usize,
    pub names: Vec<String>,
    pub code: Coverage,
}

#[derive(Clone, Debug, Default)]
struct EventKnowledge {
    label: String,
    /// The functions that it was seen to enter.
    code: Coverage,
    /// How much of that code ran, whatever made it run.
    share: f64,
    accesses: Accesses,
}

impl Knowledge {
    /// Takes in what a sequence told. Returns the state that it ends in, if all of it was performed.
    pub fn learn(
        &mut self,
        number: usize,
        sequence: &Sequence,
        before: Option<StateId>,
        told: &Feedback,
    ) -> Option<StateId> {
        let news = told.covered.without(&self.covered);
        if news.size() > 0 {
            self.covered.add_all(&news);
            self.first.push(FirstRun { sequence: number, names: sequence.names(), code: news });
        }
        if !told.complete {
            return None;
        }
        let state = self.states.of(&told.offers);
        let event = sequence.moves.last().map_or("open", |last| last.action.event.as_str());
        self.states.connect(before, event, state);
        if let Some(last) = sequence.moves.last() {
            let known = self.events.entry(event.to_string()).or_default();
            if known.label.is_empty() {
                known.label = last.action.parts.last().map_or_else(String::new, |part| part.label.clone());
            }
            known.code.add_all(&told.entered);
            if let Some(Accesses { reads, writes }) = &told.accesses {
                known.accesses.reads.extend(reads.iter().cloned());
                known.accesses.writes.extend(writes.iter().cloned());
            }
        }
        for known in self.events.values_mut() {
            known.share = self.covered.share_of(&known.code);
        }
        Some(state)
    }

    /// Counts the last action of a sequence, which is about to be performed in a state.
    pub fn attempt(&mut self, state: Option<StateId>, sequence: &Sequence) {
        if let (Some(state), Some(last)) = (state, sequence.moves.last()) {
            *self.tried.entry((state, last.name())).or_default() += 1;
            *self.tried_after.entry((state, sequence.event_before_last().to_string(), last.name())).or_default() += 1;
        }
    }

    /// How often the last action of a sequence was performed in a state, and how often right after the event before it.
    pub fn tried(&self, state: Option<StateId>, sequence: &Sequence) -> (usize, usize) {
        let (Some(state), Some(last)) = (state, sequence.moves.last()) else { return (0, 0) };
        let after = (state, sequence.event_before_last().to_string(), last.name());
        let count = |count: Option<&usize>| count.copied().unwrap_or_default();
        (count(self.tried.get(&(state, last.name()))), count(self.tried_after.get(&after)))
    }

    /// The share of an event's code that ran so far; nothing for an event that was never performed.
    pub fn share(&self, event: &str) -> f64 {
        self.events.get(event).map_or(0.0, |known| known.share)
    }

    /// What an event was seen to read and write.
    pub fn accesses(&self, event: &str) -> Accesses {
        self.events.get(event).map(|known| known.accesses.clone()).unwrap_or_default()
    }

    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// What is known of each event; `line` says in which file and line a place of a script is.
    pub fn notes(&self, line: impl Fn(&ScriptName, usize) -> Option<(String, u32)>) -> BTreeMap<String, EventNote> {
        let note = |known: &EventKnowledge| {
            let first = known.code.scripts().find_map(|(script, code)| Some((script, code.pairs().first()?.0)));
            EventNote { label: known.label.clone(), handler: first.and_then(|(script, at)| line(script, at)) }
        };
        self.events.iter().map(|(event, known)| (event.clone(), note(known))).collect()
    }

    /// Labels of the events that were performed.
    pub fn labels(&self) -> BTreeSet<String> {
        self.events.values().map(|known| known.label.clone()).collect()
    }
}
