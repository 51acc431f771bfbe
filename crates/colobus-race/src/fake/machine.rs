//! [`Machine`]: the state of a simulated page. [`SimulatedPage`] runs it in a given order.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::program::{Program, Value};
use crate::digest;
use crate::explore::{Page, PageError};
use crate::model::{
    Access, EventKind, EventName, Executed, Execution, FinalState, Named, Namer, NotRun, PageEvent, Place, Request,
    Site,
};

/// A page that is not settled after this many events polls for something that never comes.
const MOST_EVENTS: usize = 20_000;

/// A program as a [`Page`].
#[derive(Clone, Debug)]
pub struct SimulatedPage {
    program: Program,
    /// How often it was run.
    pub runs: usize,
    longest_tail: usize,
}

impl SimulatedPage {
    pub fn new(program: Program) -> SimulatedPage {
        SimulatedPage { program, runs: 0, longest_tail: MOST_EVENTS }
    }

    /// Lets at most this many unplanned events run: for pages that poll for ever.
    pub fn with_longest_tail(self, longest_tail: usize) -> SimulatedPage {
        SimulatedPage { longest_tail, ..self }
    }

    /// The natural execution, as a recording.
    pub fn record(&mut self) -> Execution {
        let mut machine = Machine::new(&self.program);
        machine.run_tail(self.longest_tail);
        machine.finish().as_recording()
    }
}

impl Page for SimulatedPage {
    fn run(&mut self, order: &[EventName]) -> Result<Execution, PageError> {
        self.runs += 1;
        let mut machine = Machine::new(&self.program);
        machine.leave_out_steps(order);
        for name in order {
            machine.run_planned(name);
        }
        machine.run_tail(self.longest_tail);
        Ok(machine.finish())
    }
}

/// A page in the middle of an execution.
#[derive(Clone, Debug)]
pub(super) struct Machine<'a> {
    pub program: &'a Program,
    pub values: BTreeMap<Place, Value>,
    pub pending: Vec<Pending>,
    pub ran: Vec<Executed>,
    pub names_run: HashSet<EventName>,
    pub not_run: Vec<NotRun>,
    pub current: Current,
    pub requests: BTreeMap<Request, u32>,
    pub exceptions: BTreeSet<String>,
    pub written: BTreeSet<Place>,
    pub clock: u64,
    namer: Namer,
    skipped: Vec<EventName>,
    notes: Vec<String>,
}

/// What the running event has done so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Current {
    pub name: Option<EventName>,
    pub registered: u32,
    pub accesses: Vec<Access>,
    pub disables: Vec<EventName>,
    pub site: Option<Site>,
    pub leaves: bool,
}

/// A registered event.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub event: PageEvent,
    /// When it comes naturally.
    pub due: u64,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    /// A function with the locals `argument` and `response`.
    Call {
        function: Option<String>,
        argument: Value,
        response: Value,
    },
    Step(usize),
    Chunk(usize),
    /// Runs the handlers of a type on the window.
    Window(&'static str),
}

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program) -> Machine<'a> {
        let mut machine = Machine {
            program,
            values: BTreeMap::new(),
            pending: Vec::new(),
            ran: Vec::new(),
            names_run: HashSet::new(),
            not_run: Vec::new(),
            current: Current::default(),
            requests: BTreeMap::new(),
            exceptions: BTreeSet::new(),
            written: BTreeSet::new(),
            clock: 0,
            namer: Namer::new("A"),
            skipped: Vec::new(),
            notes: Vec::new(),
        };
        machine.begin();
        machine
    }

    fn begin(&mut self) {
        for (index, _) in self.program.chunks.iter().enumerate() {
            let number = index as u32 + 1;
            self.register(EventKind::Chunk { number }, u64::from(number), Action::Chunk(index), |_| {});
        }
        if !self.program.chunks.is_empty() {
            self.register(EventKind::DomContentLoaded, 0, Action::Window("DOMContentLoaded"), |_| {});
            self.register(EventKind::Load, 0, Action::Window("load"), |_| {});
        }
        for (index, step) in self.program.steps.iter().enumerate() {
            let kind = EventKind::Step { number: index as u32 + 1, action: step.action.clone() };
            let chunk = step.in_chunk.checked_sub(1).map(|chunk| EventName::from(format!("A<html:{}", chunk + 1)));
            self.register(kind, step.at, Action::Step(index), |event| event.needs.extend(chunk));
        }
        let mut locals = BTreeMap::new();
        let start = &self.program.start;
        _ = self.perform(start, &mut locals, "page.html", 1);
        // The start of the page is no event.
        self.current = Current::default();
    }

    /// Makes an event possible. It happens naturally after `delay` milliseconds.
    pub fn register(
        &mut self,
        kind: EventKind,
        delay: u64,
        action: Action,
        complete: impl FnOnce(&mut PageEvent),
    ) -> EventName {
        let creator = self.current.name.clone();
        let is_callback = matches!(kind, EventKind::Timer | EventKind::AnimationFrame | EventKind::IdleCallback);
        let site = self.current.site.clone().filter(|_| is_callback);
        let Named { name, is_again } = self.namer.name(&kind, creator.as_ref(), site.as_ref());
        let serial = self.current.registered;
        let mut event = PageEvent { creator, serial, site, is_again, ..PageEvent::new(name.clone(), kind) };
        complete(&mut event);
        self.current.registered += 1;
        self.pending.push(Pending { event, due: self.clock + delay, action });
        name
    }

    /// The user makes only the steps that are in the order.
    fn leave_out_steps(&mut self, order: &[EventName]) {
        let stays = |pending: &Pending| !pending.event.is_step() || order.contains(&pending.event.name);
        let (stay, left_out) = std::mem::take(&mut self.pending).into_iter().partition(stays);
        self.pending = stay;
        let left_out: Vec<Pending> = left_out;
        self.not_run.extend(left_out.into_iter().map(|pending| NotRun { event: pending.event, disabled_by: None }));
    }

    pub fn run_planned(&mut self, name: &EventName) {
        match self.pending.iter().position(|pending| pending.event.name == *name) {
            Some(index) if self.is_enabled(&self.pending[index]) => self.run(index, true),
            _ => self.skipped.push(name.clone()),
        }
    }

    /// Runs what is enabled in its natural order until nothing is.
    pub fn run_tail(&mut self, longest: usize) {
        for _ in 0..longest {
            let mut by_time: Vec<usize> = (0..self.pending.len()).collect();
            by_time.sort_by_key(|index| self.pending[*index].due);
            let Some(next) = by_time.into_iter().find(|index| self.is_enabled(&self.pending[*index])) else { return };
            self.run(next, false);
        }
        self.notes.push(format!("the page had not settled after {longest} events"));
    }

    pub fn run(&mut self, index: usize, planned: bool) {
        let Pending { event, due, action } = self.pending.remove(index);
        self.clock = self.clock.max(due);
        self.current = Current { name: Some(event.name.clone()), ..Current::default() };
        self.act(action);
        let Current { accesses, disables, leaves, .. } = std::mem::take(&mut self.current);
        let mut disables = disables;
        if leaves {
            let gone = std::mem::take(&mut self.pending);
            disables.extend(gone.iter().map(|pending| pending.event.name.clone()));
            let gone = gone.into_iter().map(|p| NotRun { event: p.event, disabled_by: Some(event.name.clone()) });
            self.not_run.extend(gone);
        }
        self.names_run.insert(event.name.clone());
        self.ran.push(Executed { event, planned, at: self.clock, accesses, touched: None, disables, opaque: None });
    }

    pub fn finish(self) -> Execution {
        let waiting = self.pending.into_iter().map(|pending| NotRun { event: pending.event, disabled_by: None });
        let is_visible = |place: &Place| {
            matches!(
                place,
                Place::Attribute { .. }
                    | Place::Children { .. }
                    | Place::Text { .. }
                    | Place::Value { .. }
                    | Place::Location
            )
        };
        let shown = self.values.iter().filter(|(place, _)| is_visible(place));
        let dom: String = shown.map(|(place, value)| format!("{place}: {}\n", value.text())).collect();
        let values = self.written.iter().filter_map(|place| Some((place, self.values.get(place)?)));
        let values = values.map(|(place, value)| (place.clone(), value_digest(value))).collect();
        Execution {
            ran: self.ran,
            not_run: self.not_run.into_iter().chain(waiting).collect(),
            skipped: self.skipped,
            outcome: FinalState {
                broken_invariants: Default::default(),
                screenshot: Some(digest::text(&dom)),
                dom,
                exceptions: self.exceptions,
                requests: self.requests,
                values,
            },
            notes: self.notes,
            inexact: Vec::new(),
        }
    }
}

pub(super) fn value_digest(value: &Value) -> u64 {
    digest::text(&format!("{value:?}"))
}
