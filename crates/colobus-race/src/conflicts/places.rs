//! [`Places`]: the readers and writers of each place so far, kept so that an event is compared with the last of them
//! only.

use std::collections::HashMap;

use super::commute::{CommuteRule, PlaceUse};
use super::reach::Reach;
use super::{Candidate, ConflictReason, SharedPlace, Source};
use crate::model::{Access, AccessKind, Execution, Place};

/// More other places that two events share are only counted.
const MOST_OTHERS: usize = 20;

/// The places of an execution, numbered, and who touched them.
pub struct Places<'a> {
    execution: &'a Execution,
    rules: &'a [&'a dyn CommuteRule],
    uses: Vec<PlaceUse<'a>>,
    /// The accesses of each event, by place.
    accesses: Vec<Vec<(u32, Vec<&'a Access>)>>,
    visitors: Vec<Vec<Visitor>>,
    /// The places in `visitors` that were writes, by place.
    writers: Vec<Vec<usize>>,
    opaque: Vec<usize>,
}

struct Visitor {
    event: usize,
    /// Every earlier visitor of the place comes before it: an event that depends on this one needs no other.
    closes: bool,
}

impl<'a> Places<'a> {
    pub fn of(execution: &'a Execution, count: usize, rules: &'a [&'a dyn CommuteRule]) -> Places<'a> {
        let mut numbers: HashMap<&Place, u32> = HashMap::new();
        let mut uses: Vec<PlaceUse> = Vec::new();
        let mut accesses = Vec::with_capacity(count);
        for (event, executed) in execution.ran.iter().enumerate() {
            let mut of_event: Vec<(u32, Vec<&Access>)> = Vec::new();
            let mut slots: HashMap<u32, usize> = HashMap::new();
            for access in &executed.accesses {
                let number = *numbers.entry(&access.place).or_insert_with(|| {
                    uses.push(PlaceUse { place: &access.place, is_read: false });
                    uses.len() as u32 - 1
                });
                uses[number as usize].is_read |= matches!(access.kind, AccessKind::Read | AccessKind::Initialise);
                let slot = *slots.entry(number).or_insert_with(|| {
                    of_event.push((number, Vec::new()));
                    of_event.len() - 1
                });
                of_event[slot].1.push(access);
            }
            if event < count {
                accesses.push(of_event);
            }
        }
        let (visitors, writers) = (uses.iter().map(|_| Vec::new()).collect(), vec![Vec::new(); uses.len()]);
        Places { execution, rules, uses, accesses, visitors, writers, opaque: Vec::new() }
    }

    /// The earlier events that the event depends on through places. Those that follow from others may be missing.
    pub fn candidates(&self, event: usize) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let opaque = |first: &usize| Candidate { first: *first, source: Source::Opaque };
        if self.execution.ran[event].opaque.is_some() {
            return (0..event).map(|first| opaque(&first)).collect();
        }
        found.extend(self.opaque.last().map(opaque));
        for (number, accesses) in &self.accesses[event] {
            let visitors = &self.visitors[*number as usize];
            let mut look = |visitor: &Visitor| {
                let depends = self.depend(*number, visitor.event, accesses);
                if depends {
                    found.push(Candidate { first: visitor.event, source: Source::Place(*number) });
                }
                depends && visitor.closes
            };
            if writes(accesses) {
                _ = visitors.iter().rev().any(&mut look);
            } else {
                _ = self.writers[*number as usize].iter().rev().any(|writer| look(&visitors[*writer]));
            }
        }
        found
    }

    /// Remembers the event as a visitor of its places.
    pub fn add(&mut self, event: usize, before: &Reach) {
        if self.execution.ran[event].opaque.is_some() {
            self.opaque.push(event);
        }
        for (number, accesses) in &self.accesses[event] {
            let visitors = &mut self.visitors[*number as usize];
            let writes = writes(accesses);
            let closes = writes && {
                let mut earlier = visitors.iter().rev();
                loop {
                    match earlier.next() {
                        None => break true,
                        Some(visitor) if !before.contains(event, visitor.event) => break false,
                        Some(visitor) if visitor.closes => break true,
                        Some(_) => {}
                    }
                }
            };
            if writes {
                self.writers[*number as usize].push(visitors.len());
            }
            visitors.push(Visitor { event, closes });
        }
    }

    fn depend(&self, number: u32, first: usize, second: &[&Access]) -> bool {
        let first = self.accesses_of(first, number);
        let place = &self.uses[number as usize];
        (writes(first) || writes(second)) && !self.rules.iter().any(|rule| rule.commute(place, first, second))
    }

    fn accesses_of(&self, event: usize, number: u32) -> &[&'a Access] {
        let found = self.accesses[event].iter().find(|(place, _)| *place == number);
        found.map_or(&[], |(_, accesses)| accesses)
    }

    /// Why the order of the two matters, from what was found to depend.
    pub fn cause(&self, first: usize, second: usize, sources: &[Source]) -> ConflictReason {
        let places: Vec<u32> = sources
            .iter()
            .filter_map(|source| if let Source::Place(number) = source { Some(*number) } else { None })
            .collect();
        if let Some(by) = sources.iter().find_map(|s| if let Source::Cancels(by) = s { Some(by.clone()) } else { None })
        {
            return ConflictReason::Cancels { by };
        }
        let opaque = [first, second].iter().find_map(|event| self.execution.ran[*event].opaque.clone());
        let (Some(number), None) = (places.iter().min_by_key(|number| self.uses[**number as usize].place), &opaque)
        else {
            return ConflictReason::Opaque { reason: opaque.unwrap_or_default() };
        };
        let Some((of_first, of_second)) = self.shown_accesses(first, second, *number) else {
            return ConflictReason::Opaque { reason: String::new() };
        };
        let mut others: Vec<u32> = places.iter().copied().filter(|other| other != number).collect();
        others.sort_unstable();
        others.dedup();
        let pairs = others.iter().take(MOST_OTHERS).filter_map(|other| self.shown_accesses(first, second, *other));
        ConflictReason::Place(Box::new(SharedPlace {
            place: self.uses[*number as usize].place.clone(),
            further: others.len(),
            others: pairs.map(|(first, second)| (first.clone(), second.clone())).collect(),
            first: of_first.clone(),
            second: of_second.clone(),
        }))
    }

    /// Of the accesses of two events to a place, a write on one side, and on the other preferably a read: what was missed or seen
    /// too early.
    fn shown_accesses(&self, first: usize, second: usize, number: u32) -> Option<(&'a Access, &'a Access)> {
        let (of_first, of_second) = (self.accesses_of(first, number), self.accesses_of(second, number));
        let score = |(a, b): &(&'a Access, &'a Access)| match (a.writes(), b.writes()) {
            (true, false) | (false, true) => 0,
            (true, true) => 1,
            (false, false) => 2,
        };
        of_first.iter().flat_map(|a| of_second.iter().map(move |b| (*a, *b))).min_by_key(score)
    }
}

fn writes(accesses: &[&Access]) -> bool {
    accesses.iter().any(|access| access.writes())
}
