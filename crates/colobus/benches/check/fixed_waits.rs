//! [`FixedWaits`]: worlds that wait as Simian does instead of observing: half a second after an action, seven seconds
//! before and after the concurrent part.

use std::thread::sleep;
use std::time::Duration;

use colobus_driver::BrowserFactory;
use colobus_model::{
    BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation, Step,
};
use colobus_world::{ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, WorldFactory};

const AFTER_AN_ACTION: Duration = Duration::from_millis(500);
const AROUND_THE_CONCURRENT_PART: Duration = Duration::from_secs(7);

/// The worlds within must not observe: `fixed_ms` of their application is zero.
pub struct FixedWaits(pub BrowserFactory);

impl WorldFactory for FixedWaits {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        Ok(Box::new(WaitingWorld { world: self.0.open()?, wait: AFTER_AN_ACTION }))
    }

    fn browser(&self) -> String {
        self.0.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.0.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    fn script_errors(&self) -> Vec<String> {
        self.0.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.0.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.0.recall(earlier);
    }
}

struct WaitingWorld {
    world: Box<dyn World>,
    /// How long the next settling takes.
    wait: Duration,
}

impl World for WaitingWorld {
    fn browser(&self) -> BrowserPlace {
        self.world.browser()
    }

    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        self.wait = AFTER_AN_ACTION;
        self.world.begin(clients)
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        let settled = self.world.settle()?;
        sleep(self.wait);
        Ok(settled)
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.settle()
    }

    /// The last thing before the concurrent part.
    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.wait = AROUND_THE_CONCURRENT_PART;
        self.world.place_caret(client, caret)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.wait = AROUND_THE_CONCURRENT_PART;
        self.world.hold()
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        self.world.step(client, step)
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        self.world.deliverable()
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        self.world.happen(event)
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.world.caret(client)
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        self.world.observe(client, wanted)
    }

    fn is_poll(&mut self, event: &Event) -> bool {
        self.world.is_poll(event)
    }

    fn polls(&mut self) -> bool {
        self.world.polls()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        self.world.waiting_message(event)
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        self.world.late_joiners(wanted)
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        self.world.late_joiner(wanted)
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.world.survey(client)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        self.world.observe_all(clients, wanted)
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.world.traffic()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.world.touched(client, step)
    }
}
