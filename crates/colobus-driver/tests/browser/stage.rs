//! What the tests have in common: an application description, a factory for it, and short words for long ones.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use colobus_driver::subject::Subject;
use colobus_driver::{BrowserFactory, BrowserOptions};
use colobus_model::{
    Application, CaretAccess, CaretKind, ClientId, Deterministic, Event, Launch, Observation, PORT, Reset, Schedule,
    Settle, Step, Target, Tls, Viewport, WaitFor,
};
use colobus_world::{ObserveOptions, Settled, StepOutcome, World, WorldFactory};

pub const A: ClientId = ClientId(0);
pub const B: ClientId = ClientId(1);

/// An application with this address and nothing special.
pub fn application(url: String) -> Application {
    Application {
        url,
        launch: None,
        reset: Reset::FreshDocument,
        hosts: Vec::new(),
        ready: None,
        focus: None,
        caret: CaretAccess::BuiltIn(CaretKind::Auto),
        ignore: Vec::new(),
        css: String::new(),
        freeze_animations: true,
        state: None,
        invariants: Vec::new(),
        sometimes: Vec::new(),
        remote_carets: None,
        whole_words: false,
        viewport: Viewport { width: 640, height: 400 },
        settle: Settle { quiet_ms: Some(0), ..Settle::within(10_000) },
        tls: Tls::default(),
        deterministic: Deterministic::default(),
        checks_off: Vec::new(),
        after_load: Vec::new(),
        logins: Vec::new(),
        server: None,
    }
}

/// One of `subjects/small`, on a server that answers at once.
pub fn small(name: &str, broken: bool, state: &str) -> Application {
    let launch = Launch {
        command: ["node", "app.js", PORT].map(str::to_string).to_vec(),
        directory: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/small").join(name),
        environment: BTreeMap::from([("BUG".to_string(), u8::from(broken).to_string())]),
        wait_for: WaitFor::ChosenPort,
        timeout_ms: 30_000,
    };
    let asking = Application {
        launch: Some(launch),
        settle: Settle::within(10_000),
        ready: Some("window.connected".to_string()),
        state: Some(state.to_string()),
        ..application(format!("http://127.0.0.1:{PORT}/?doc={{doc}}"))
    };
    Subject::place(&asking).unwrap()
}

pub fn factory(application: Application) -> BrowserFactory {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run_token = format!("test{}", RUNS.fetch_add(1, Ordering::Relaxed));
    let options = BrowserOptions { run_token, ..BrowserOptions::default() };
    BrowserFactory::new(application, options).unwrap()
}

pub fn world(application: Application) -> Box<dyn World> {
    factory(application).open().unwrap()
}

/// Short words for tests, which panic where a test has failed.
pub trait Acting {
    fn start(&mut self, clients: usize);
    fn act(&mut self, client: ClientId, step: Step);
    /// Why the step does not apply.
    fn refused(&mut self, client: ClientId, step: Step) -> String;
    fn quiet(&mut self);
    fn see(&mut self, client: ClientId) -> Observation;
    fn dom(&mut self, client: ClientId) -> String;
    /// The value of `state`.
    fn state(&mut self, client: ClientId) -> serde_json::Value;
    /// What could go on next, as a schedule writes it.
    fn waiting(&mut self) -> String;
    /// Makes the events of a schedule happen, one after the other.
    fn play(&mut self, schedule: &str);
}

impl Acting for Box<dyn World> {
    fn start(&mut self, clients: usize) {
        assert_eq!(self.begin(clients).unwrap(), Settled::Quiet);
    }

    fn act(&mut self, client: ClientId, step: Step) {
        assert_eq!(self.step(client, &step).unwrap(), StepOutcome::Done, "{step:?}");
    }

    fn refused(&mut self, client: ClientId, step: Step) -> String {
        match self.step(client, &step).unwrap() {
            StepOutcome::NotApplicable(why) | StepOutcome::Threw(why) => why,
            StepOutcome::Done => panic!("{step:?} was done"),
        }
    }

    fn quiet(&mut self) {
        assert_eq!(self.settle().unwrap(), Settled::Quiet);
    }

    fn see(&mut self, client: ClientId) -> Observation {
        self.observe(client, ObserveOptions::all()).unwrap()
    }

    fn dom(&mut self, client: ClientId) -> String {
        let wanted = ObserveOptions { dom: true, ..ObserveOptions::default() };
        self.observe(client, wanted).unwrap().dom.unwrap()
    }

    fn state(&mut self, client: ClientId) -> serde_json::Value {
        let wanted = ObserveOptions { state: true, ..ObserveOptions::default() };
        self.observe(client, wanted).unwrap().state.unwrap()
    }

    fn waiting(&mut self) -> String {
        written(self.deliverable().unwrap())
    }

    fn play(&mut self, schedule: &str) {
        for event in schedule.parse::<Schedule>().unwrap().events {
            self.happen(&event).unwrap();
        }
    }
}

fn written(events: Vec<Event>) -> String {
    Schedule { events }.to_string()
}

pub fn press(chord: &str) -> Step {
    Step::Press(chord.parse().unwrap())
}

pub fn text(text: &str) -> Step {
    Step::Type(text.to_string())
}

pub fn click(selector: &str) -> Step {
    Step::Click(Target::Selector(selector.to_string()))
}

pub fn run(source: &str) -> Step {
    Step::Evaluate(source.to_string())
}
