//! [`Stopwatch`]: worlds that note how long each of their calls took. One interaction lasts from opening the document to
//! having looked at all clients.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use colobus_model::{
    BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation, Step,
};
use colobus_world::{ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, WorldFactory};

/// The seconds of one interaction, by what was done.
pub type Times = BTreeMap<Part, f64>;

/// What an interaction consists of, in the order in which it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Opening,
    Prefix,
    Carets,
    SettlingBefore,
    Concurrent,
    SettlingAfter,
    Looking,
}

impl Part {
    pub const ALL: [Part; 7] = [
        Part::Opening,
        Part::Prefix,
        Part::Carets,
        Part::SettlingBefore,
        Part::Concurrent,
        Part::SettlingAfter,
        Part::Looking,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Part::Opening => "opening the document",
            Part::Prefix => "the steps of the prefix",
            Part::Carets => "the carets",
            Part::SettlingBefore => "settling before the concurrent part",
            Part::Concurrent => "the concurrent steps",
            Part::SettlingAfter => "settling after it",
            Part::Looking => "looking at the clients",
        }
    }
}

pub struct Stopwatch<'a> {
    worlds: &'a dyn WorldFactory,
    interactions: Arc<Mutex<Vec<Times>>>,
}

impl<'a> Stopwatch<'a> {
    pub fn new(worlds: &'a dyn WorldFactory) -> Stopwatch<'a> {
        Stopwatch { worlds, interactions: Arc::default() }
    }

    /// The interactions since the last time, but for the first: it opened the clients' pages.
    pub fn take(&self) -> Vec<Times> {
        lock(&self.interactions).drain(..).skip(1).collect()
    }
}

impl WorldFactory for Stopwatch<'_> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(TimedWorld { world: self.worlds.open()?, interactions: self.interactions.clone(), held: false }))
    }

    fn browser(&self) -> String {
        self.worlds.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.worlds.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.worlds.notes()
    }

    fn script_errors(&self) -> Vec<String> {
        self.worlds.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.worlds.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.worlds.recall(earlier);
    }
}

struct TimedWorld {
    world: Box<dyn World>,
    interactions: Arc<Mutex<Vec<Times>>>,
    held: bool,
}

impl TimedWorld {
    fn time<T>(&mut self, what: Part, call: impl FnOnce(&mut dyn World) -> T) -> T {
        let begun = Instant::now();
        let result = call(self.world.as_mut());
        if let Some(times) = lock(&self.interactions).last_mut() {
            *times.entry(what).or_default() += begun.elapsed().as_secs_f64();
        }
        result
    }
}

impl World for TimedWorld {
    fn browser(&self) -> BrowserPlace {
        self.world.browser()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        lock(&self.interactions).push(Times::new());
        self.held = false;
        self.time(Part::Opening, |world| world.begin(clients))
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        let what = if self.held { Part::Concurrent } else { Part::Prefix };
        self.time(what, |world| world.step(client, step))
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.held = true;
        self.time(Part::Concurrent, |world| world.hold())
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        let what = if self.held { Part::SettlingAfter } else { Part::SettlingBefore };
        self.time(what, |world| world.settle())
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.time(Part::SettlingAfter, |world| world.settle_thoroughly())
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        self.time(Part::Concurrent, |world| world.deliverable())
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        self.time(Part::Concurrent, |world| world.happen(event))
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.time(Part::Carets, |world| world.caret(client))
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.time(Part::Carets, |world| world.place_caret(client, caret))
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        self.time(Part::Looking, |world| world.observe(client, wanted))
    }

    fn is_poll(&mut self, event: &Event) -> bool {
        self.world.is_poll(event)
    }

    fn polls(&mut self) -> bool {
        self.world.polls()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        self.time(Part::Concurrent, |world| world.waiting_message(event))
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        self.time(Part::Looking, |world| world.late_joiners(wanted))
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        self.time(Part::Looking, |world| world.late_joiner(wanted))
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.time(Part::Looking, |world| world.survey(client))
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        self.time(Part::Looking, |world| world.observe_all(clients, wanted))
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.world.traffic()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.world.touched(client, step)
    }
}

fn lock(interactions: &Mutex<Vec<Times>>) -> MutexGuard<'_, Vec<Times>> {
    interactions.lock().unwrap_or_else(PoisonError::into_inner)
}
