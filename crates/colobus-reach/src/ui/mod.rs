//! [`UiModel`]: the states of a user interface and the events that lead from one to another. Produced by crawling, kept
//! in a [`file`] that people can edit, drawn by [`picture`]; consumed by the search.

pub mod file;
pub mod picture;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::line::Line;
use crate::summary::START;

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
    /// Add a transition; a known one is not added again.
    pub fn connect(&mut self, from: &str, event: &str, to: &str) {
        let transition = Transition { from: from.into(), event: event.into(), to: to.into() };
        if !self.transitions.contains(&transition) {
            self.transitions.push(transition);
        }
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
