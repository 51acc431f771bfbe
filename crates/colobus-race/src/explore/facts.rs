//! [`Facts`]: what a search keeps of an execution: its relation, what was enabled when, and its outcome. The accesses,
//! which are most of its size, are dropped.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::names::{Id, Names};
use super::settings::{Settings, Tail};
use crate::conflicts::{ConflictReason, Relation};
use crate::digest;
use crate::happens_before::Timing;
use crate::model::{Access, AccessKind, Execution};

/// Events have the numbers that [`Execution::events`] gives them.
#[derive(Debug)]
pub struct Facts {
    pub ids: Vec<Id>,
    numbers: HashMap<Id, usize>,
    /// How many events take part in conflicts: the first of those that ran.
    pub taking_part: usize,
    pub ran: usize,
    /// For those that take part, the events on which they directly depend.
    pub immediate: Vec<Vec<usize>>,
    /// For all events, those that happen before them.
    needed: Vec<Vec<usize>>,
    disabled_by: Vec<Option<usize>>,
    pub conflicts: Vec<(usize, usize, ConflictReason)>,
    pub timing: Timing,
    /// Whether delays of answers and steps lead to this order or to an equivalent one.
    pub feasible: bool,
    /// What each event that ran touched, as a hash.
    pub touched: Vec<u64>,
    /// Without accesses.
    pub execution: Arc<Execution>,
}

impl Facts {
    pub fn of(mut execution: Execution, settings: &Settings, names: &mut Names) -> Facts {
        let taking_part = match settings.tail {
            Tail::RunsLast => execution.planned().len(),
            Tail::TakesPart => execution.ran.len(),
        };
        let relation = Relation::of(&execution, taking_part, &settings.commute);
        let ids: Vec<Id> = execution.events().map(|event| names.id(&event.name)).collect();
        let ran = execution.ran.len();
        let timing = Timing::of(execution.events());
        let touched = execution.ran.iter().map(|ran| ran.touched.unwrap_or_else(|| touched(&ran.accesses))).collect();
        execution.ran.iter_mut().for_each(|executed| executed.accesses = Vec::new());
        // An event that is registered again under its name has its number from the last time.
        let numbers: HashMap<Id, usize> = ids.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let disabler = |number: usize| {
            let by = execution.not_run[number.checked_sub(ran)?].disabled_by.as_ref()?;
            numbers.get(&names.id(by)).copied()
        };
        let disabled_by = (0..ids.len()).map(disabler).collect();
        let of_before =
            |number: usize| relation.happens_before().predecessors(number).iter().map(|(first, _)| *first).collect();
        Facts {
            taking_part,
            ran,
            immediate: (0..taking_part).map(|number| relation.immediate(number).to_vec()).collect(),
            needed: (0..ids.len()).map(of_before).collect(),
            disabled_by,
            conflicts: relation.conflicts().iter().map(|c| (c.first, c.second, c.cause.clone())).collect(),
            feasible: timing.admits(&relation.pairs()),
            timing,
            touched,
            numbers,
            ids,
            execution: Arc::new(execution),
        }
    }

    /// Whether the event is enabled after those that have run.
    pub fn is_enabled(&self, event: Id, has_run: &HashSet<Id>) -> bool {
        let Some(number) = self.numbers.get(&event) else { return false };
        let is_done = |number: &usize| has_run.contains(&self.ids[*number]) || self.is_disabled(*number, has_run);
        !has_run.contains(&event) && !self.is_disabled(*number, has_run) && self.needed[*number].iter().all(is_done)
    }

    fn is_disabled(&self, number: usize, has_run: &HashSet<Id>) -> bool {
        self.disabled_by[number].is_some_and(|by| has_run.contains(&self.ids[by]))
    }

    /// The pairs that directly depend on each other, the earlier event first.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |(second, firsts): (usize, &'_ Vec<usize>)| {
            firsts.iter().map(move |first| (*first, second)).collect::<Vec<_>>()
        };
        self.immediate.iter().enumerate().flat_map(of)
    }

    /// The pairs of which one happens before the other directly, whether or not they ran.
    pub fn happens_before(&self) -> impl Iterator<Item = (usize, usize)> {
        let of =
            |(second, firsts): (usize, &Vec<usize>)| firsts.iter().map(|first| (*first, second)).collect::<Vec<_>>();
        self.needed.iter().enumerate().flat_map(of)
    }

    /// The events that did not run because one that takes part cancelled them, each with that one.
    pub fn disabled(&self) -> impl Iterator<Item = (usize, usize)> {
        let pair = |number: usize| Some((number, self.disabled_by[number]?));
        (self.ran..self.ids.len()).filter_map(pair).filter(|(_, by)| *by < self.taking_part)
    }

    pub fn number(&self, event: Id) -> Option<usize> {
        self.numbers.get(&event).copied()
    }
}

/// The sum after an addition depends on those before it, although additions commute: such values are left out. So is the
/// order of accesses: a parser that takes a break leads to another one.
fn touched(accesses: &[Access]) -> u64 {
    let of = |access: &Access| {
        let place = digest::text(&access.place.to_string());
        let value = access.value.filter(|_| !matches!(access.kind, AccessKind::Add | AccessKind::Insert));
        [place, access.kind as u64, value.unwrap_or_default()].into_iter().fold(0, digest::push)
    };
    accesses.iter().map(of).fold(0, u64::wrapping_add)
}
