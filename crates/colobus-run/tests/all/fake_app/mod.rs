//! A configuration for the fake world.

use std::path::Path;

use colobus_model::{Action, Application, Aspect, LearnedSettling, Step};
use colobus_run::{Checks, Judge, LateJoinerChoice, Orders, RunConfig, RunOptions};
use colobus_world::fake::FakeFactory;
use colobus_world::{World, WorldError, WorldFactory};
use serde_json::json;

pub fn application() -> Application {
    serde_json::from_value(json!({
        "url": "http://127.0.0.1/", "launch": null, "reset": "fresh_document", "hosts": [], "ready": null, "focus": null,
        "caret": "untouched", "ignore": [], "css": "", "freeze_animations": true, "state": null,
        "viewport": {"width": 100, "height": 50},
        "settle": {"quiet_ms": 0, "timers_ms": 0, "fixed_ms": null, "limit_ms": 0},
    }))
    .unwrap()
}

pub fn action(name: &str, steps: Vec<Step>) -> Action {
    Action::new(name, steps)
}

pub fn typing(text: &str) -> Action {
    action(text, vec![Step::Type(text.into())])
}

pub fn press(key: &str) -> Action {
    action(key, vec![Step::Press(key.parse().unwrap())])
}

pub fn evaluate(name: &str, script: &str) -> Action {
    action(name, vec![Step::Evaluate(script.into())])
}

pub fn actions() -> Vec<Action> {
    vec![typing("a"), typing("b"), press("Enter"), press("Backspace")]
}

pub fn config(out: &Path, actions: Vec<Action>, depth: usize) -> RunConfig {
    RunConfig {
        title: "a fake".into(),
        source: "colobus.toml".into(),
        application: application(),
        actions,
        returning: Vec::new(),
        depth,
        clients: 2,
        same: false,
        rounds: 1,
        late_joiner: LateJoinerChoice::Sampled,
        prune: false,
        naive: false,
        judge: Judge { effect: Aspect::Pixels, equivalence: Aspect::Pixels, convergence: vec![Aspect::Pixels] },
        checks: Checks::default(),
        orders: Orders::default(),
        around: None,
        workers: 2,
        shard: None,
        seed: 1,
        options: RunOptions { repeat: 4, ..RunOptions::new(out) },
    }
}

/// The same search, run in another way.
pub fn with_options(mut config: RunConfig, set: impl FnOnce(&mut RunOptions)) -> RunConfig {
    set(&mut config.options);
    config
}

/// The same search, which continues the newest run of its folder.
pub fn resumed(config: RunConfig) -> RunConfig {
    with_options(config, |options| options.resume = true)
}

/// The same search, in another folder.
pub fn elsewhere(config: &RunConfig, out: &Path) -> RunConfig {
    with_options(config.clone(), |options| options.out = out.to_path_buf())
}

/// Fake worlds that are opened in another way.
pub struct OpenedBy<O>(pub FakeFactory, pub O);

impl<O: Fn(&FakeFactory) -> Result<Box<dyn World>, WorldError> + Sync> WorldFactory for OpenedBy<O> {
    fn open(&self) -> Result<Box<dyn World>, WorldError> {
        (self.1)(&self.0)
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
