//! [`HappensBefore`]: which events of an execution cannot be turned round, whatever the network and the user do. Produced
//! from the registrations, creators and queues of an [`Execution`]; consumed by [`conflicts`](crate::conflicts) and
//! [`explore`](crate::explore). [`Timing`] says which orders the fixed delays of timers allow, and which delays of answers
//! and users lead to an order.

mod delays;
mod document;
mod feasibility;
mod moments;
mod repair;
mod timers;

use std::collections::HashMap;

pub use delays::{Delay, Delays};
pub use feasibility::{Infeasible, Timing};
pub use moments::moments;

use crate::model::{EventName, Execution, PageEvent};

/// The direct predecessors of each registered event. Events have the numbers that [`Execution::events`] gives them.
#[derive(Clone, Debug)]
pub struct HappensBefore {
    predecessors: Vec<Vec<(usize, Rule)>>,
}

/// Why one event comes before another in every order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// It registered the other: set the timer, sent the request, created the element.
    Creator,
    /// The other needs it, such as a click the element that it created.
    Needed,
    /// Both are in one queue: chunks of the document, messages of one socket, ticks of one interval, steps of the user.
    Queue,
    /// Timers of one event run by their delay, equal ones by registration.
    Timers,
    /// The parser, deferred scripts, DOMContentLoaded and load follow each other.
    Document,
}

impl HappensBefore {
    pub fn of(execution: &Execution) -> HappensBefore {
        let events: Vec<&PageEvent> = execution.events().collect();
        let ran = execution.ran.len();
        let mut graph = HappensBefore { predecessors: vec![Vec::new(); events.len()] };
        graph.add_registrations(&events);
        graph.add_queues(&events);
        timers::add(&mut graph, &events);
        document::add(&mut graph, &events, ran);
        for predecessors in &mut graph.predecessors {
            predecessors.sort_unstable();
            predecessors.dedup_by_key(|(event, _)| *event);
        }
        graph
    }

    /// What comes directly before the event, and why.
    pub fn predecessors(&self, event: usize) -> &[(usize, Rule)] {
        &self.predecessors[event]
    }

    /// Whether one of them comes directly before the other.
    pub fn is_direct(&self, first: usize, second: usize) -> bool {
        self.predecessors[second].iter().any(|(event, _)| *event == first)
    }

    fn add(&mut self, first: usize, second: usize, rule: Rule) {
        if first != second {
            self.predecessors[second].push((first, rule));
        }
    }

    fn add_registrations(&mut self, events: &[&PageEvent]) {
        let numbers: HashMap<&EventName, usize> =
            events.iter().enumerate().map(|(number, event)| (&event.name, number)).collect();
        for (number, event) in events.iter().enumerate() {
            if let Some(creator) = event.creator.as_ref().and_then(|name| numbers.get(name)) {
                self.add(*creator, number, Rule::Creator);
            }
            for needed in event.needs.iter().filter_map(|name| numbers.get(name)) {
                self.add(*needed, number, Rule::Needed);
            }
        }
    }

    fn add_queues(&mut self, events: &[&PageEvent]) {
        let mut queues: HashMap<String, Vec<(u32, usize)>> = HashMap::new();
        for (number, event) in events.iter().enumerate() {
            if let Some((queue, place)) = event.kind.queue() {
                queues.entry(queue).or_default().push((place, number));
            }
        }
        for queue in queues.values_mut() {
            queue.sort_unstable();
            for pair in queue.windows(2) {
                self.add(pair[0].1, pair[1].1, Rule::Queue);
            }
        }
    }
}

impl Rule {
    /// The reason as a sentence with both names.
    pub fn explain(self, first: &EventName, second: &EventName) -> String {
        match self {
            Rule::Creator => format!("{first} registers {second}"),
            Rule::Needed => format!("{second} needs what {first} creates"),
            Rule::Queue => format!("{first} and {second} are in one queue"),
            Rule::Timers => format!("{first} and {second} are timers of one event and run by their delays"),
            Rule::Document => format!("the browser runs {first} before {second}"),
        }
    }
}

#[cfg(test)]
mod tests;
