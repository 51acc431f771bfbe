//! Every fixture and its twin again and again: five searches agree, and the recorded order, run twenty times, differs from the
//! recording in nothing that would be reported.

use colobus_race::verdict::Differences;
use colobus_world::RacePage;

use crate::fixtures::{self, Fixture, fixture};
use crate::searched::{Searched, names};
use crate::server::Site;
use crate::{browser, options};

const SEARCHES: usize = 5;
const RUNS: usize = 20;

/// All that a search says: what it reports, what it reports apart, and how many conflicts and orders there were.
type Said = (Vec<String>, Vec<String>, usize, usize);

fn said(fixture: &Fixture, site: Site) -> Said {
    let server = site.serve();
    let searched = Searched::new(&mut *browser(options(server.url(), Some(fixture.steps()))), fixture.truth.bound);
    (searched.findings(), searched.apart(), searched.tally.conflicts, searched.tally.orders)
}

/// What is wrong with repeated runs of the recorded order.
fn wrong_with_recorded_order(fixture: &Fixture, site: Site) -> Vec<String> {
    let server = site.serve();
    let mut page = browser(options(server.url(), Some(fixture.steps())));
    let recorded = page.record().unwrap();
    let order = recorded.execution.order();
    let mut wrong = Vec::new();
    for run in 1..=RUNS {
        let again = page.run(&recorded, &order).unwrap();
        let differences = Differences::between(&recorded.execution.outcome, &again.outcome);
        if !differences.harms().is_empty() || names(&again.order()) != names(&order) {
            wrong.push(format!("{}, run {run}: {differences:?} in {:?}", fixture.name, names(&again.order())));
        }
    }
    wrong
}

#[test]
#[ignore = "takes minutes; make test-long"]
fn five_searches_agree() {
    let mut wrong = Vec::new();
    for name in fixtures::names() {
        let fixture = fixture(&name);
        for (what, site) in [("page", fixture.page()), ("repaired", fixture.repaired())] {
            let all: Vec<Said> = (0..SEARCHES).map(|_| said(&fixture, site.clone())).collect();
            if all.iter().any(|other| *other != all[0]) {
                wrong.push(format!("{name}, {what}: {all:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes minutes; make test-long"]
fn the_recorded_order_gives_no_report_in_twenty_runs() {
    let both = |name: &String| {
        let fixture = fixture(name);
        [wrong_with_recorded_order(&fixture, fixture.page()), wrong_with_recorded_order(&fixture, fixture.repaired())]
    };
    let wrong: Vec<String> = fixtures::names().iter().flat_map(both).flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
