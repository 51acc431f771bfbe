//! The figures of `benches/models.rs`, and the same state space explored by stateright:
//! `cargo run --release --manifest-path crates/colobus-ot/benches/stateright/Cargo.toml`.

#[allow(dead_code)]
#[path = "../../models.rs"]
mod models;

use colobus_ot::Setting;
use colobus_ot::models::symbolic::State;
use colobus_ot::properties::order_of_events::order_of_events;
use stateright::{Checker, Model, Property};

/// The symbolic model. An action is the state it leads to, so that successors are computed once.
struct Editor(Setting);

impl Model for Editor {
    type State = State;
    type Action = State;

    fn init_states(&self) -> Vec<State> {
        vec![State::initial()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<State>) {
        actions.extend(state.successors(&self.0));
    }

    fn next_state(&self, _state: &State, action: State) -> Option<State> {
        Some(action)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("causality preserved", |_, state: &State| state.preserves_causality())]
    }
}

fn main() {
    models::models();
    println!("\nthe symbolic state space (deadlock and causality), states per second\n");
    println!("{:12}{:>10}{:>16}{:>20}{:>20}", "setting", "states", "colobus", "stateright, 1", "stateright, 2");
    for (sites, ops) in [(3, 3), (3, 4), (3, 5)] {
        let setting = Setting::spread(sites, ops).expect("a valid size");
        let (ours, found) = models::best(|| order_of_events(&setting, None));
        let theirs = |threads: usize| {
            let check = || Editor(setting.clone()).checker().threads(threads).spawn_bfs().join().unique_state_count();
            let (seconds, states) = models::best(check);
            assert_eq!(states as u64, found.states, "both explore the same state space");
            per_second(found.states, seconds)
        };
        let (one, two) = (theirs(1), theirs(2));
        println!("{:12}{:>10}{:>16}{one:>20}{two:>20}", format!("{sites}/{ops}"), found.states, per_second(found.states, ours));
    }
}

fn per_second(states: u64, seconds: f64) -> String {
    format!("{:.2} million", states as f64 / seconds / 1e6)
}
