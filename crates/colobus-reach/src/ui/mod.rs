//! [`UiModel`]: the states of a user interface and the events that lead from one to another. Produced by crawling, kept
//! in a [`file`] that people can edit, drawn by [`picture`]; consumed by the search.

pub mod file;
pub mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::line::Line;
use crate::summary::{START, Summary};

/// An event handler that is attached to an element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Registration {
    /// The kind of event: click, input, a response, a timer.
    pub kind: String,
    /// How the element is found.
    pub element: String,
    /// Where the handler stands.
    pub handler: Line,
}

/// An event that leads from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transition {
    /// The state before.
    pub from: Arc<str>,
    /// The event.
    pub event: Arc<str>,
    /// The state after.
    pub to: Arc<str>,
    /// The summaries that were seen to lead there; none if any may.
    pub paths: BTreeSet<Arc<str>>,
}

impl Transition {
    /// Whether a path of its event leads there.
    pub fn is_taken_by(&self, path: &Arc<str>) -> bool {
        self.paths.is_empty() || self.paths.contains(path)
    }
}

/// A finite automaton that allows at least what the user interface allows, as far as it was crawled. One event may lead
/// from one state to several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UiModel {
    /// What each event is.
    pub events: BTreeMap<Arc<str>, Registration>,
    /// The transitions; those of the event `start` lead from the state `start` to the first states.
    pub transitions: Vec<Transition>,
    /// States whose transitions are not all known.
    pub incomplete: BTreeSet<Arc<str>>,
}

impl UiModel {
    /// Add a transition that any path of the event may take; a known one is not added again.
    pub fn connect(&mut self, from: &str, event: &str, to: &str) {
        self.connect_by(from, event, to, []);
    }

    /// Add a transition that some paths of the event take.
    pub fn connect_by(&mut self, from: &str, event: &str, to: &str, paths: impl IntoIterator<Item = Arc<str>>) {
        let is_same = |it: &&mut Transition| (&*it.from, &*it.event, &*it.to) == (from, event, to);
        match self.transitions.iter_mut().find(is_same) {
            Some(known) => known.paths.extend(paths),
            None => {
                let paths = paths.into_iter().collect();
                self.transitions.push(Transition { from: from.into(), event: event.into(), to: to.into(), paths });
            }
        }
    }

    /// Of paths that need and do the same and lead to the same states, keep one in the transitions: the others are no other way.
    pub fn keep_one_of_each(&mut self, summaries: &[Summary]) {
        let mut kept: Vec<(&Summary, Vec<usize>)> = Vec::new();
        for summary in summaries {
            let taken = self.transitions.iter().enumerate().filter(|(_, it)| it.paths.contains(&summary.name));
            let taken: Vec<usize> = taken.map(|(number, _)| number).collect();
            let is_same = |(other, places): &(&Summary, Vec<usize>)| *places == taken && does_the_same(other, summary);
            if taken.is_empty() {
                continue;
            }
            if kept.iter().any(is_same) {
                for number in taken {
                    self.transitions[number].paths.remove(&summary.name);
                }
            } else {
                kept.push((summary, taken));
            }
        }
    }

    /// Whether it depends on the path where the event leads to: some other path leads elsewhere.
    pub fn is_gate(&self, transition: &Transition) -> bool {
        let Transition { from, event, to, paths } = transition;
        let elsewhere = |other: &Transition| other.from == *from && other.event == *event && other.to != *to;
        !paths.is_empty() && self.transitions.iter().any(elsewhere)
    }

    /// All states but the one before the start.
    pub fn states(&self) -> BTreeSet<&str> {
        let ends = self.transitions.iter().flat_map(|transition| [&*transition.from, &*transition.to]);
        ends.filter(|state| *state != START).collect()
    }

    /// The events that are possible in a state: its set of registrations.
    pub fn enabled(&self, state: &str) -> BTreeSet<&str> {
        let leaving = self.transitions.iter().filter(|transition| &*transition.from == state);
        leaving.map(|transition| &*transition.event).collect()
    }

    /// Pairs of states with the same registrations, which ought to be one state.
    pub fn duplicates(&self) -> Vec<(&str, &str)> {
        let states: Vec<(&str, BTreeSet<&str>)> =
            self.states().into_iter().map(|state| (state, self.enabled(state))).collect();
        let mut found = Vec::new();
        for (at, (one, enabled)) in states.iter().enumerate() {
            let same = states[at + 1..].iter().filter(|(_, other)| other == enabled);
            found.extend(same.map(|(other, _)| (*one, *other)));
        }
        found
    }
}

fn does_the_same(one: &Summary, other: &Summary) -> bool {
    one.event == other.event
        && one.writes == other.writes
        && one.lists == other.lists
        && one.domain == other.domain
        && one.needed().all(|part| other.needed().any(|it| it == part))
        && other.needed().all(|part| one.needed().any(|it| it == part))
}
