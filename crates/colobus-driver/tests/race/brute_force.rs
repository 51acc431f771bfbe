//! Every order of the recorded events that happens-before allows, executed one by one: they end in the same states as the
//! search without a bound.

use std::collections::BTreeSet;

use colobus_race::explore::{Next, Search, Settings, Status};
use colobus_race::fake::is_feasible;
use colobus_race::happens_before::HappensBefore;
use colobus_race::model::{EventName, Execution, FinalState};
use colobus_world::RacePage;

use crate::fixtures::{self, fixture};
use crate::server::Site;
use crate::{browser, options};

/// Larger pages have too many orders.
const MOST_EVENTS: usize = 8;

type Visible = (String, BTreeSet<String>, Vec<String>);

fn visible(state: &FinalState) -> Visible {
    let requests = state.requests.iter().map(|(request, count)| format!("{count} {request:?}"));
    (state.dom.clone(), state.exceptions.clone(), requests.collect())
}

/// All orders of the events that ran in which each comes after those that must come before it.
fn orders(recording: &Execution) -> Vec<Vec<EventName>> {
    let before = HappensBefore::of(recording);
    let count = recording.ran.len();
    let mut all = Vec::new();
    let mut open = vec![Vec::<usize>::new()];
    while let Some(begun) = open.pop() {
        if begun.len() == count {
            all.push(begun.iter().map(|event| recording.ran[*event].event.name.clone()).collect());
            continue;
        }
        let is_next = |event: &usize| {
            let came = |(first, _): &(usize, _)| begun.contains(first) || *first >= count;
            !begun.contains(event) && before.predecessors(*event).iter().all(came)
        };
        open.extend((0..count).filter(is_next).map(|event| [&begun[..], &[event]].concat()));
    }
    all
}

/// How many orders there are, if the states are the same.
fn compared(name: &str, site: Site) -> Result<usize, String> {
    let fixture = fixture(name);
    let server = site.serve();
    let mut page = browser(options(server.url(), Some(fixture.steps())));
    let recorded = page.record().unwrap();
    let recording = page.run(&recorded, &recorded.execution.order()).unwrap();
    if recording.ran.len() > MOST_EVENTS {
        return Err(format!("{name} has {} events", recording.ran.len()));
    }
    let orders = orders(&recording);
    let mut all = BTreeSet::new();
    for order in &orders {
        let execution = page.run(&recorded, order).unwrap();
        if is_feasible(&execution) {
            all.insert(visible(&execution.outcome));
        }
    }
    let mut found = BTreeSet::from([visible(&recording.outcome)]);
    let mut search = Search::new(recording, Settings::unbounded());
    while let Next::Run(plan) = search.next_plan() {
        let result = page.run(&recorded, &plan.order).map_err(|error| error.to_string());
        for explored in search.tell(plan.key, result) {
            if let Status::New { execution, .. } = &explored.status {
                found.insert(visible(&execution.outcome));
            }
        }
    }
    println!("{name}: {} orders by force, {} by the search, {} states", orders.len(), search.tally().orders, all.len());
    match found == all {
        true => Ok(orders.len()),
        false => Err(format!(
            "{name}: only by force {:#?}, only by the search {:#?}",
            all.difference(&found).collect::<Vec<_>>(),
            found.difference(&all).collect::<Vec<_>>()
        )),
    }
}

#[test]
#[ignore = "takes minutes; make test-long"]
fn all_orders_end_in_the_states_of_the_search() {
    let names = fixtures::names();
    let both = |name: &String| [compared(name, fixture(name).page()), compared(name, fixture(name).repaired())];
    let wrong: Vec<String> = names.iter().flat_map(both).filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
