//! A strategy from outside: a search runs the orders that it chooses.

use std::sync::Mutex;

use colobus_model::Event;
use colobus_run::{OfferedStrategy, OrderChoice, Orders, RunConfig, check};
use colobus_schedule::{Choice, Digest, Divergences, Strategy};
use colobus_world::fake::FakeFactory;

use crate::fake_app::{config, typing};

/// One execution, in which the event that was offered last always goes first.
struct LastFirst {
    begun: bool,
}

static LAST_FIRST: OfferedStrategy = OfferedStrategy {
    name: "last-first",
    describe: "the event that was offered last goes first",
    usual_limit: Some(1),
    follows_concurrent_orders: false,
    make: |_| Box::new(LastFirst { begun: false }),
};

/// What it chose, in this order.
static CHOSEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Strategy<Event> for LastFirst {
    fn begin(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }

    fn choose(&mut self, enabled: &[Event]) -> Choice {
        let last = enabled.len() - 1;
        CHOSEN.lock().unwrap().push(enabled[last].to_string());
        Choice::Take(last)
    }

    fn commuted(&mut self, _pairs: &[(usize, usize)]) {}

    fn end(&mut self, _outcome: Option<Digest>) {}

    fn divergences(&self) -> Divergences {
        Divergences::default()
    }
}

#[test]
fn a_search_runs_the_orders_of_a_strategy_from_outside() {
    let out = tempfile::tempdir().unwrap();
    let config = RunConfig { workers: 1, ..config(out.path(), vec![typing("a"), typing("b")], 1) };
    let choice = OrderChoice::new(&LAST_FIRST);
    let config = RunConfig { orders: Orders { limit: 1, choice, ..Orders::default() }, ..config };
    let report = check(&config, &FakeFactory::default(), &mut |_| {}).unwrap();
    assert_eq!((report.findings.len(), report.counts.interactions.judged), (0, 1));
    let chosen = CHOSEN.lock().unwrap();
    assert_eq!(chosen.first().map(String::as_str), Some("B1"), "A1 was offered first: {chosen:?}");
}
