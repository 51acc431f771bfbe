//! [`States`]: the states of a page by what is possible in them, and the events that lead from one to another. Grows with
//! every sequence; becomes the UI model that `colobus reach` reads and that pictures show.

use std::collections::{BTreeMap, BTreeSet};

use colobus_reach::line::Line;
use colobus_reach::ui::{Registration, UiModel};
use colobus_world::Offer;

use crate::action::place;

/// The number of a state, in the order in which they were found.
pub type StateId = usize;

#[derive(Clone, Debug, Default)]
pub struct States {
    /// By the events that are possible in them.
    ids: BTreeMap<BTreeSet<String>, StateId>,
    /// From where, by which event, to where; without a beginning, the page was opened.
    transitions: BTreeSet<(Option<StateId>, String, StateId)>,
}

/// An event, for those who read the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventNote {
    pub label: String,
    /// Where its handler stands, if it has one.
    pub handler: Option<(String, u32)>,
}

impl States {
    /// The state in which just these are possible.
    pub fn of(&mut self, offers: &[Offer]) -> StateId {
        let events = offers.iter().map(|offer| format!("{} {}", offer.kind.name(), place(&offer.element))).collect();
        let next = self.ids.len();
        *self.ids.entry(events).or_insert(next)
    }

    pub fn connect(&mut self, from: Option<StateId>, event: &str, to: StateId) {
        self.transitions.insert((from, event.to_string(), to));
    }

    pub fn count(&self) -> usize {
        self.ids.len()
    }

    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// States in which nothing is possible any more.
    pub fn dead_ends(&self) -> usize {
        self.ids.keys().filter(|events| events.is_empty()).count()
    }

    /// The model, with what is known of each event. `page` stands for the place of handlers that no script has.
    pub fn model(&self, notes: &BTreeMap<String, EventNote>, page: &str) -> UiModel {
        let mut model = UiModel::default();
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for (number, (event, note)) in notes.iter().enumerate() {
            let name = format!("{} {}", number + 1, named(&note.label));
            let (kind, element) = event.split_once(' ').unwrap_or((event, ""));
            let (file, line) = note.handler.clone().unwrap_or_else(|| (page.to_string(), 1));
            let handler = Line { file: file.into(), number: line.max(1) };
            let (kind, element) = (kind.to_string(), element.to_string());
            model.events.insert(name.as_str().into(), Registration { kind, element, handler });
            names.insert(event, name);
        }
        let state = |id: StateId| format!("s{}", id + 1);
        for (from, event, to) in &self.transitions {
            match (from, names.get(event.as_str())) {
                (Some(from), Some(name)) => model.connect(&state(*from), name, &state(*to)),
                _ => model.connect("start", "start", &state(*to)),
            }
        }
        for (events, id) in &self.ids {
            let performed =
                |event: &String| self.transitions.iter().any(|(from, by, _)| *from == Some(*id) && by == event);
            if !events.iter().all(performed) {
                model.incomplete.insert(state(*id).into());
            }
        }
        model
    }
}

/// A label as the file format of models allows it.
fn named(label: &str) -> String {
    let plain: String = label.chars().map(|c| if c.is_control() || ":\"=#".contains(c) { ' ' } else { c }).collect();
    let short: String =
        plain.replace("->", " ").split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
    short.trim().to_string()
}
