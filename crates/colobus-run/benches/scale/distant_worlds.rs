//! [`DistantWorlds`]: fake worlds that take their time, as browsers on other machines do, and die now and then. Time is slept, so that
//! as many of them as wanted share the cores of this machine, and the tool has them to itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use colobus_model::{
    BrowserPlace, Caret, ClientId, Event, LateJoin, LateJoiner, LearnedSettling, Message, Observation, Step,
};
use colobus_world::fake::FakeFactory;
use colobus_world::{ObserveOptions, Settled, StepOutcome, Survey, Touched, Traffic, World, WorldError, WorldFactory};

/// How long things take, on average, and how often worlds die.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub execution: Duration,
    pub opening: Duration,
    /// One of so many executions ends with its world.
    pub deaths_one_in: u64,
}

#[derive(Default)]
pub struct DistantWorlds {
    inner: FakeFactory,
    times: Option<Times>,
    clock: Arc<Clock>,
}

/// What all worlds together have slept, and the next number of their stream of random ones.
#[derive(Default)]
struct Clock {
    slept_us: AtomicU64,
    drawn: AtomicU64,
}

impl DistantWorlds {
    pub fn new(times: Times) -> DistantWorlds {
        DistantWorlds { times: Some(times), ..DistantWorlds::default() }
    }

    /// What all worlds together were busy for.
    pub fn busy(&self) -> Duration {
        Duration::from_micros(self.clock.slept_us.load(Ordering::SeqCst))
    }
}

impl Clock {
    fn random(&self) -> u64 {
        // SplitMix64: the n-th number is a function of n.
        let mut mixed = self.drawn.fetch_add(1, Ordering::SeqCst).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Between half of this time and one and a half of it.
    fn pass(&self, average: Duration) {
        let share = 0.5 + (self.random() % 1_000) as f64 / 1_000.0;
        let time = average.mul_f64(share);
        self.slept_us.fetch_add(time.as_micros() as u64, Ordering::SeqCst);
        sleep(time);
    }
}

impl WorldFactory for DistantWorlds {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        let times = self.times.ok_or_else(|| WorldError::CannotRun("no times are given".into()))?;
        self.clock.pass(times.opening);
        Ok(Box::new(DistantWorld { inner: self.inner.open()?, times, clock: self.clock.clone() }))
    }

    fn browser(&self) -> String {
        self.inner.browser()
    }

    fn fingerprint(&self) -> Result<String, WorldError> {
        self.inner.fingerprint()
    }

    fn notes(&self) -> Vec<String> {
        self.inner.notes()
    }

    fn script_errors(&self) -> Vec<String> {
        self.inner.script_errors()
    }

    fn learned(&self) -> LearnedSettling {
        self.inner.learned()
    }

    fn recall(&self, earlier: LearnedSettling) {
        self.inner.recall(earlier);
    }
}

struct DistantWorld {
    inner: Box<dyn World>,
    times: Times,
    clock: Arc<Clock>,
}

impl World for DistantWorld {
    fn browser(&self) -> BrowserPlace {
        self.inner.browser()
    }

    /// The whole time of the execution passes here.
    fn begin(&mut self, clients: usize) -> Result<Settled, WorldError> {
        self.clock.pass(self.times.execution);
        if self.clock.random().is_multiple_of(self.times.deaths_one_in) {
            return Err(WorldError::Died("its node is gone".into()));
        }
        self.inner.begin(clients)
    }

    fn step(&mut self, client: ClientId, step: &Step) -> Result<StepOutcome, WorldError> {
        self.inner.step(client, step)
    }

    fn hold(&mut self) -> Result<(), WorldError> {
        self.inner.hold()
    }

    fn settle(&mut self) -> Result<Settled, WorldError> {
        self.inner.settle()
    }

    fn settle_thoroughly(&mut self) -> Result<Settled, WorldError> {
        self.inner.settle_thoroughly()
    }

    fn deliverable(&mut self) -> Result<Vec<Event>, WorldError> {
        self.inner.deliverable()
    }

    fn is_poll(&mut self, event: &Event) -> bool {
        self.inner.is_poll(event)
    }

    fn polls(&mut self) -> bool {
        self.inner.polls()
    }

    fn waiting_message(&mut self, event: &Event) -> Option<Message> {
        self.inner.waiting_message(event)
    }

    fn happen(&mut self, event: &Event) -> Result<(), WorldError> {
        self.inner.happen(event)
    }

    fn caret(&mut self, client: ClientId) -> Result<Option<Caret>, WorldError> {
        self.inner.caret(client)
    }

    fn place_caret(&mut self, client: ClientId, caret: &Caret) -> Result<(), WorldError> {
        self.inner.place_caret(client, caret)
    }

    fn observe(&mut self, client: ClientId, wanted: ObserveOptions) -> Result<Observation, WorldError> {
        self.inner.observe(client, wanted)
    }

    fn late_joiners(&mut self, wanted: ObserveOptions) -> Result<Vec<LateJoiner>, WorldError> {
        self.inner.late_joiners(wanted)
    }

    fn late_joiner(&mut self, wanted: ObserveOptions) -> Result<Option<LateJoin>, WorldError> {
        self.inner.late_joiner(wanted)
    }

    fn survey(&mut self, client: ClientId) -> Result<Survey, WorldError> {
        self.inner.survey(client)
    }

    fn observe_all(&mut self, clients: usize, wanted: ObserveOptions) -> Result<Vec<Observation>, WorldError> {
        self.inner.observe_all(clients, wanted)
    }

    fn traffic(&mut self) -> Vec<Traffic> {
        self.inner.traffic()
    }

    fn touched(&mut self, client: ClientId, step: Option<&Step>) -> Result<Option<Touched>, WorldError> {
        self.inner.touched(client, step)
    }
}
