//! [`Relation`]: which events of one execution depend on each other, and which pairs are worth turning round. Produced
//! from an [`Execution`], consumed by [`explore`](crate::explore).
//!
//! Two events depend on each other if one [happens before](crate::happens_before) the other, if both touch a place, at
//! least one writes, and they do not [commute], or if one cancels the other. `before` is the transitive closure along
//! the order. A pair is a *relevant conflict* if it depends, neither makes the other possible, and no third event is
//! between them in `before`: then the two can be made neighbours and turned round without turning any other pair round.
//! The relation belongs to this execution. Another order may touch other places.

pub mod commute;
mod places;
mod reach;
mod touched;

use std::collections::HashMap;

use commute::CommuteRule;
use places::Places;
use reach::Reach;
use serde::{Deserialize, Serialize};
pub use touched::Touched;

use crate::happens_before::HappensBefore;
use crate::model::{Access, EventName, Executed, Execution, Place};

/// The dependencies between the first events of an execution. Events have the numbers of their places in it.
#[derive(Clone, Debug)]
pub struct Relation {
    happens_before: HappensBefore,
    /// Without those that follow from others.
    immediate: Vec<Vec<usize>>,
    before: Reach,
    conflicts: Vec<Conflict>,
}

/// A relevant conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub first: usize,
    pub second: usize,
    pub cause: ConflictReason,
}

/// Why the order of two events matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictReason {
    /// Both touch a place.
    Place(Box<SharedPlace>),
    /// The first event cancels the second, or the second would have cancelled the first.
    Cancels { by: EventName },
    /// The accesses of one event are not known.
    Opaque { reason: String },
}

/// A place that two events touch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedPlace {
    pub place: Place,
    /// The access of the event that came first in the executed order.
    pub first: Access,
    pub second: Access,
    /// How many other places both touch.
    pub further: usize,
    /// The first of these, as accesses of the first and the second event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<(Access, Access)>,
}

impl SharedPlace {
    /// The accesses of both events to each place that is known.
    pub fn accesses(&self) -> impl Iterator<Item = (&Access, &Access)> {
        [(&self.first, &self.second)].into_iter().chain(self.others.iter().map(|(first, second)| (first, second)))
    }
}

/// An event that runs later or not at all conflicts with one that cancels it.
struct Cancellations<'a> {
    numbers: HashMap<&'a EventName, usize>,
    cancelled_by: HashMap<&'a EventName, Vec<(usize, &'a EventName)>>,
}

impl Relation {
    /// The relation between the first `count` events. The others are looked at only for reads: a place that is written
    /// and never read must not be read by them either.
    pub fn of(execution: &Execution, count: usize, rules: &[&dyn CommuteRule]) -> Relation {
        let happens_before = HappensBefore::of(execution);
        let mut places = Places::of(execution, count, rules);
        let mut cancellations = Cancellations { numbers: HashMap::new(), cancelled_by: HashMap::new() };
        let mut relation = Relation {
            happens_before,
            immediate: Vec::with_capacity(count),
            before: Reach::new(count),
            conflicts: Vec::new(),
        };
        for (second, executed) in execution.ran[..count].iter().enumerate() {
            let mut candidates = places.candidates(second);
            candidates.extend(cancellations.candidates(executed));
            relation.add(second, candidates, &places);
            places.add(second, &relation.before);
            cancellations.add(second, executed);
        }
        relation
    }

    fn add(&mut self, second: usize, candidates: Vec<Candidate>, places: &Places) {
        let mut by_event: HashMap<usize, Vec<Source>> = HashMap::new();
        for Candidate { first, source } in candidates {
            by_event.entry(first).or_default().push(source);
        }
        for (first, _) in self.happens_before.predecessors(second).iter().filter(|(first, _)| *first < second) {
            by_event.entry(*first).or_default();
        }
        let mut firsts: Vec<usize> = by_event.keys().copied().collect();
        firsts.sort_unstable_by(|a, b| b.cmp(a));
        let mut immediate = Vec::new();
        // Nearest first: what is between the two in `before` is known by then.
        for first in firsts {
            if self.before.contains(second, first) {
                continue;
            }
            self.before.join(second, first);
            immediate.push(first);
            if !self.happens_before.is_direct(first, second) {
                let cause = places.cause(first, second, &by_event[&first]);
                self.conflicts.push(Conflict { first, second, cause });
            }
        }
        self.immediate.push(immediate);
    }

    /// The relevant conflicts, by their second event and then nearest first.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// Whether the first comes before the second in every equivalent order.
    pub fn is_before(&self, first: usize, second: usize) -> bool {
        self.before.contains(second, first)
    }

    /// The events that the event directly depends on, without those that follow from others.
    pub fn immediate(&self, event: usize) -> &[usize] {
        &self.immediate[event]
    }

    /// All pairs of [`Relation::immediate`], the earlier event first.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let of = |(second, firsts): (usize, &Vec<usize>)| {
            firsts.iter().map(move |first| (*first, second)).collect::<Vec<_>>()
        };
        self.immediate.iter().enumerate().flat_map(of).collect()
    }

    pub fn happens_before(&self) -> &HappensBefore {
        &self.happens_before
    }
}

/// An earlier event that the current one depends on.
#[derive(Clone, Debug)]
struct Candidate {
    first: usize,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Place(u32),
    Cancels(EventName),
    Opaque,
}

impl<'a> Cancellations<'a> {
    fn candidates(&self, executed: &'a Executed) -> Vec<Candidate> {
        let name = &executed.event.name;
        let cancels = executed.disables.iter().filter_map(|target| self.numbers.get(target));
        let cancels = cancels.map(|first| Candidate { first: *first, source: Source::Cancels(name.clone()) });
        let cancelled = self.cancelled_by.get(name).into_iter().flatten();
        let cancelled =
            cancelled.map(|(first, by)| Candidate { first: *first, source: Source::Cancels((*by).clone()) });
        cancels.chain(cancelled).collect()
    }

    fn add(&mut self, number: usize, executed: &'a Executed) {
        self.numbers.insert(&executed.event.name, number);
        for target in &executed.disables {
            self.cancelled_by.entry(target).or_default().push((number, &executed.event.name));
        }
    }
}

#[cfg(test)]
mod tests;
